-- Ranking looks at the full text of a chunk once for each word of a question. Kept in the row and uncompressed, it need
-- not be unpacked each time.
alter table knowledge_chunks set (toast_tuple_target = 8160);
