-- Which process seals a document: its lease is free as soon as none of that process's connections is left.
alter table signing_documents add column seal_holder text;
