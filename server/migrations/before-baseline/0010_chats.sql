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
  current_id    uuid,
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
  search        tsvector generated always as (to_tsvector('simple', title)) stored
);
create index chats_user on chats (user_id, updated_at desc, id desc);
create unique index chats_share on chats (share_id) where share_id is not null;
create index chats_folder on chats (folder_id) where folder_id is not null;

create table chat_messages (
  chat_id    uuid not null references chats (id) on delete cascade,
  id         uuid not null,
  user_id    uuid not null,
  parent_id  uuid,
  role       text not null check (role in ('user', 'assistant', 'system')),
  content    text not null default '',
  done       boolean not null default false,
  -- The reply that is being written into it. Until that ends, nobody else changes its content.
  task_id    uuid,
  -- Seconds, as the wire has it.
  timestamp_sec bigint not null,
  -- Every other field of the message.
  body       jsonb not null default '{}',
  -- What it counts in its chat's byte_size. A running reply is counted when it ends.
  size       integer not null default 0,
  -- The order in which messages came, and so the order of siblings.
  position   bigint generated always as identity,
  search     tsvector generated always as (case when done or role = 'user' then to_tsvector('simple', left(content, 100000)) end) stored,
  primary key (chat_id, id)
);
create index chat_messages_parent on chat_messages (chat_id, parent_id);
create index chat_messages_user on chat_messages (user_id);
create index chat_messages_search on chat_messages using gin (search);

-- A share is a snapshot: what the author writes later is not in it.
create table chat_shares (
  id         uuid primary key,
  chat_id    uuid not null unique references chats (id) on delete cascade,
  user_id    uuid not null,
  title      text not null,
  -- json, which keeps the order of its keys: that is the order in which the messages came.
  chat       json not null,
  shared_at  timestamptz not null
);
