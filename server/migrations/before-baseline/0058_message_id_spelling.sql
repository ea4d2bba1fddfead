-- Message ids are the caller's: they are compared as UUIDs, and written as they were sent. Null where that is how
-- PostgreSQL writes them. A message and the children that name it agree, so a row can be read without its parent's.
alter table chat_messages
  add column spelling text,
  add column parent_spelling text;

-- The id as it is written at the message.
alter table chats alter column current_id type text;
alter table reply_tasks alter column message_id type text;
