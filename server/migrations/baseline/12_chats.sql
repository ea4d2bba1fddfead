-- Conversations: one row per message, so that a write costs the same in a long chat as in a short one.
create table chat_folders (
  id         uuid primary key,
  user_id    uuid not null references users (id) on delete cascade,
  parent_id  uuid references chat_folders (id) on delete cascade,
  name       text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index chat_folders_user on chat_folders (user_id);

create table chats (
  id            uuid primary key,
  user_id       uuid not null references users (id) on delete cascade,
  title         text not null,
  -- As the id is written at the message.
  current_id    text,
  models        jsonb not null default '[]',
  params        jsonb not null default '{}',
  files         jsonb not null default '[]',
  tags          text[] not null default '{}',
  -- Fields of the chat object that the contract does not name, kept as they came.
  extra         jsonb not null default '{}',
  timestamp_ms  bigint not null,
  folder_id     uuid references chat_folders (id) on delete set null,
  pinned        boolean not null default false,
  archived      boolean not null default false,
  share_id      uuid,
  -- Kept along with each write, so that the caps cost nothing to check.
  message_count integer not null default 0,
  byte_size     bigint not null default 0,
  -- Grows with every write to the chat or its messages: what a reader holds is fresh exactly while it stands still.
  version       bigint not null default 0,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  search        tsvector generated always as (to_tsvector('simple', title)) stored,
  -- Whether a person chose the title and the tags: generated ones never replace those.
  has_own_title boolean not null default false,
  has_own_tags  boolean not null default false
);
create index chats_user on chats (user_id, updated_at desc, id desc);
create unique index chats_share on chats (share_id) where share_id is not null;
create index chats_folder on chats (folder_id) where folder_id is not null;

create table chat_messages (
  chat_id         uuid not null references chats (id) on delete cascade,
  id              uuid not null,
  user_id         uuid not null,
  parent_id       uuid,
  role            text not null check (role in ('user', 'assistant', 'system')),
  content         text not null default '',
  done            boolean not null default false,
  -- The reply that is being written into it. Until that ends, nobody else changes its content.
  task_id         uuid,
  -- Seconds, as the wire has it.
  timestamp_sec   bigint not null,
  -- Every other field of the message.
  body            jsonb not null default '{}',
  -- What it counts in its chat's byte_size. A running reply is counted when it ends.
  size            integer not null default 0,
  -- The order in which messages came, and so the order of siblings.
  position        bigint generated always as identity,
  search          tsvector generated always as (case when done or role = 'user' then to_tsvector('simple', left(content, 100000)) end) stored,
  -- What a finished reply said before it is generated again. A regeneration that fails puts it back.
  previous        jsonb,
  -- Message ids are the caller's: they are compared as UUIDs, and written as they were sent. Null where that is how
  -- PostgreSQL writes them. A message and the children that name it agree, so a row can be read without its parent's.
  spelling        text,
  parent_spelling text,
  primary key (chat_id, id)
);
create index chat_messages_parent on chat_messages (chat_id, parent_id);
create index chat_messages_user on chat_messages (user_id);
create index chat_messages_search on chat_messages using gin (search);

-- A share is a snapshot: what the author writes later is not in it.
create table chat_shares (
  id                     uuid primary key,
  chat_id                uuid not null unique references chats (id) on delete cascade,
  user_id                uuid not null,
  title                  text not null,
  -- json, which keeps the order of its keys: that is the order in which the messages came.
  chat                   json not null,
  shared_at              timestamptz not null,
  -- The secret part of the public link; null while only the organization can read the share.
  public_token           text unique,
  -- The organization that the author belonged to. The link is closed when they leave it.
  public_organization_id uuid,
  shows_author           boolean not null default false,
  -- The files that a shared chat shows, so that serving one doesn't read the whole snapshot. Null for shares that were
  -- saved before; the first request for one of their files fills it.
  file_ids               uuid[]
);

-- Full text search needs spaces between words. Chinese, Japanese, Thai and others have none, so their pairs of
-- characters are indexed instead. pg_trgm would need an extension, and under the C locale it knows only ASCII letters.

-- Every pair of neighbouring characters of these scripts.
create function unspaced_pairs(content text) returns text[] language sql immutable parallel safe return (
  select coalesce(array_agg(distinct pair), '{}') from (
    select character || lead(character) over (order by position) as pair
    from string_to_table(left(content, 100000), null) with ordinality as characters (character, position)
  ) as pairs
  where pair ~ '^[\u0E00-\u0EFF\u0F00-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F]{2}$'
);
-- Only of finished messages that hold such characters: others cost nothing, nor does a reply while it is written.
create index chat_messages_unspaced on chat_messages using gin (unspaced_pairs(content))
  where (done or role = 'user')
    and content ~ '[\u0E00-\u0EFF\u0F00-\u109F\u1780-\u17FF\u3040-\u30FF\u31F0-\u31FF\u3400-\u9FFF\uF900-\uFAFF\uFF66-\uFF9F]';

-- How far an import of chats is. Each chat is counted in the transaction that stores it, so the numbers are true after
-- a crash as well. The id is the caller's.
create table chat_imports (
  user_id       uuid not null references users (id) on delete cascade,
  id            uuid not null,
  status        text not null default 'running' check (status in ('running', 'finished', 'failed')),
  reason        text,
  total_bytes   bigint,
  read_bytes    bigint not null default 0,
  imported      integer not null default 0,
  skipped_count integer not null default 0,
  started_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (user_id, id)
) with (fillfactor = 50);

-- What a person's new chats start with: a system prompt and model parameters.
create table chat_defaults (
  user_id    uuid primary key references users (id) on delete cascade,
  options    jsonb not null,
  updated_at timestamptz not null
);

-- Texts that are inserted into a message by typing / and their command.
create table prompts (
  id              uuid primary key,
  user_id         uuid not null references users (id) on delete cascade,
  -- The author's organization when it was saved: whose members see it while it is shared.
  organization_id uuid references organizations (id) on delete set null,
  command         text not null,
  content         text not null,
  shared          boolean not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  unique (user_id, command)
);
create index prompts_shared on prompts (organization_id) where shared;

-- What people think of replies, for the report of administrators. The name, model and organization are those of the
-- time of the rating. A rating goes with its message.
create table message_ratings (
  chat_id         uuid not null,
  message_id      uuid not null,
  user_id         uuid not null references users (id) on delete cascade,
  user_name       text not null,
  organization_id uuid references organizations (id) on delete set null,
  model           text not null,
  is_good         boolean not null,
  reason          text not null,
  rated_at        timestamptz not null,
  primary key (chat_id, message_id),
  foreign key (chat_id, message_id) references chat_messages (chat_id, id) on delete cascade
);
create index message_ratings_latest on message_ratings (rated_at desc);
create index message_ratings_of_organization on message_ratings (organization_id, rated_at desc);
create index message_ratings_user on message_ratings (user_id);
