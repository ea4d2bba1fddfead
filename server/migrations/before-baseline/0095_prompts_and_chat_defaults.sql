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
