-- Replies that are being made. A row lives from the start of a reply to its end; one whose node no longer beats was
-- cut off by a crash, and its message is ended with an error.
create table reply_tasks (
  id         uuid primary key,
  chat_id    uuid not null references chats (id) on delete cascade,
  -- As the id is written at the message.
  message_id text not null,
  user_id    uuid not null,
  node_id    uuid not null,
  beat_at    timestamptz not null,
  started_at timestamptz not null,
  unique (chat_id, message_id)
);
create index reply_tasks_beat on reply_tasks (beat_at);
