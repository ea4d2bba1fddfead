-- How a document's text was turned into words for full-text search (searchable-text.ts). Documents of an older version
-- are searchable as they were, and are brought up to date in the background.
alter table knowledge_documents add column terms_version smallint not null default 1;
create index knowledge_documents_terms on knowledge_documents (file_id) where terms_version < 2;
