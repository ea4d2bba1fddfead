-- How far an import of chats is. Each chat is counted in the transaction that stores it, so the numbers are true after a
-- crash as well. The id is the caller's.
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
