-- Files that join a collection as soon as they are processed.
create table knowledge_waiting (
  collection_id uuid not null references knowledge_collections (id) on delete cascade,
  file_id       uuid not null references files (id) on delete cascade,
  added_at      timestamptz not null,
  primary key (collection_id, file_id)
);
create index knowledge_waiting_file on knowledge_waiting (file_id);
