-- The files that a shared chat shows, so that serving one doesn't read the whole snapshot. Null for shares that were saved
-- before; the first request for one of their files fills it.
alter table chat_shares add column file_ids uuid[];
