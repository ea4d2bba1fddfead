-- The values of headers can be keys, so they are stored encrypted. What is in `headers` is sealed when the next server
-- starts; nothing else writes that column.
alter table tool_servers add column sealed_headers text;
