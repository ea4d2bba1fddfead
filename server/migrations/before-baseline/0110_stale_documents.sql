-- Which collection asked for a document to be indexed again: its job finds the document also after it has left the
-- collection, or the collection is gone. Otherwise another collection that holds it would wait for ever.
alter table knowledge_documents add column stale_for uuid;
update knowledge_documents set stale_for = (select collection_id from knowledge_files f where f.file_id = knowledge_documents.file_id limit 1)
  where is_stale;
drop index knowledge_documents_stale;
create index knowledge_documents_stale on knowledge_documents (stale_for, file_id) where is_stale;
