-- The process that a document belongs to, for its events; the document's own id where nobody says.
alter table signing_documents add column correlation_id text;
create index signing_documents_owner on signing_documents (owner_id);
