-- The engine that was not given all of a file's texts because its owner's budget was spent. Questions don't wait for these.
alter table knowledge_documents add column unpaid_engine text;
