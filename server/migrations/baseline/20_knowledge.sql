-- Collections of files, and what retrieval searches: chunks with full text, and vectors.
create table knowledge_collections (
  id              uuid primary key,
  name            text not null,
  description     text not null,
  owner_kind      text not null check (owner_kind in ('user', 'admin')),
  owner_id        uuid not null,
  organization_id uuid,
  -- False: every signed-in user may read it. True: its owner, administrators and whom access_grants names.
  is_restricted   boolean not null,
  -- Increases with each change of what the collection holds; caches of its vectors go by it.
  version         bigint not null default 0,
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
create index knowledge_collections_owner on knowledge_collections (owner_kind, owner_id);
create index knowledge_collections_open on knowledge_collections (id) where not is_restricted;

create table knowledge_files (
  collection_id uuid not null references knowledge_collections (id) on delete cascade,
  file_id       uuid not null references files (id) on delete cascade,
  -- Where it is in a synchronised folder.
  path          text,
  -- The address of a fetched web page.
  url           text,
  added_at      timestamptz not null,
  -- Files that the sync of a folder added: when the folder no longer has them, they are deleted, unless another
  -- collection holds them. False for files that were added by hand, and for those that were synced before this was
  -- recorded.
  is_synced     boolean not null default false,
  primary key (collection_id, file_id)
);
create index knowledge_files_file on knowledge_files (file_id);
create unique index knowledge_files_path on knowledge_files (collection_id, path) where path is not null;

-- One row per indexed file, however many collections hold it.
create table knowledge_documents (
  file_id       uuid primary key references files (id) on delete cascade,
  language      regconfig not null,
  chunk_count   integer not null,
  word_count    bigint not null,
  -- Waiting to be indexed again; the old chunks serve meanwhile.
  is_stale      boolean not null default false,
  -- Increases when its chunks are replaced or get vectors.
  version       bigint not null default 0,
  indexed_at    timestamptz not null,
  -- Which collection asked for a document to be indexed again: its job finds the document also after it has left the
  -- collection, or the collection is gone. Otherwise another collection that holds it would wait for ever.
  stale_for     uuid,
  -- How a document's text was turned into words for full-text search (searchable-text.ts). Documents of an older
  -- version are searchable as they were, and are brought up to date in the background.
  terms_version smallint not null default 1,
  -- The engine that was not given all of a file's texts because its owner's budget was spent. Questions don't wait for
  -- these.
  unpaid_engine text
);
create index knowledge_documents_stale on knowledge_documents (stale_for, file_id) where is_stale;
create index knowledge_documents_terms on knowledge_documents (file_id) where terms_version < 2;

-- The passages that are searched. Ranking looks at the full text of a chunk once for each word of a question. Kept in
-- the row and uncompressed, it need not be unpacked each time.
create table knowledge_chunks (
  id         bigint generated always as identity primary key,
  file_id    uuid not null references files (id) on delete cascade,
  position   integer not null,
  text       text not null,
  page       integer,
  heading    text,
  word_count integer not null,
  text_hash  bytea not null,
  search     tsvector not null,
  unique (file_id, position)
) with (toast_tuple_target = 8160);
create index knowledge_chunks_search on knowledge_chunks using gin (search) with (fastupdate = off);
create index knowledge_chunks_hash on knowledge_chunks (text_hash);

-- Vectors by text and engine: the same text is embedded once, and vectors of two engines never mix.
create table knowledge_vectors (
  engine    text not null,
  text_hash bytea not null,
  vector    bytea not null,
  primary key (engine, text_hash)
);

-- A change of membership or of a file's chunks changes every collection that holds the file, by whichever way it comes:
-- also when a deleted file takes its memberships with it.
create function knowledge_files_changed() returns trigger language plpgsql as $$
begin
  -- In one order, so that two changes of several collections cannot wait for each other.
  perform from knowledge_collections where id in (select collection_id from changed) order by id for no key update;
  update knowledge_collections set version = version + 1 where id in (select collection_id from changed);
  return null;
end $$;
create trigger knowledge_files_inserted after insert on knowledge_files
  referencing new table as changed for each statement execute function knowledge_files_changed();
create trigger knowledge_files_deleted after delete on knowledge_files
  referencing old table as changed for each statement execute function knowledge_files_changed();

-- Everybody who needs several locks takes them in this order: file, collections, memberships, document. Deleting a file
-- would take its memberships before their collections, so the collections are locked first.
create function knowledge_lock_collections() returns trigger language plpgsql as $$
begin
  perform from knowledge_collections
    where id in (select collection_id from knowledge_files where file_id = old.id) order by id for no key update;
  return old;
end $$;
create trigger knowledge_before_file_deleted before delete on files
  for each row execute function knowledge_lock_collections();

-- Files that join a collection as soon as they are processed.
create table knowledge_waiting (
  collection_id uuid not null references knowledge_collections (id) on delete cascade,
  file_id       uuid not null references files (id) on delete cascade,
  added_at      timestamptz not null,
  primary key (collection_id, file_id)
);
create index knowledge_waiting_file on knowledge_waiting (file_id);

-- Crawls of a site into a collection. Their pages are the queue: a crawl that was cut off continues with those that
-- wait.
create table knowledge_crawls (
  id            uuid primary key,
  collection_id uuid not null references knowledge_collections (id) on delete cascade,
  user_id       uuid not null references users (id) on delete cascade,
  url           text not null,
  max_depth     integer not null,
  max_pages     integer not null,
  state         text not null check (state in ('running', 'completed', 'failed', 'cancelled')),
  error         text,
  created_at    timestamptz not null,
  ended_at      timestamptz
);
create unique index knowledge_crawls_running on knowledge_crawls (collection_id) where state = 'running';
create index knowledge_crawls_collection on knowledge_crawls (collection_id, created_at desc);
create index knowledge_crawls_user on knowledge_crawls (user_id);

create table knowledge_crawl_pages (
  crawl_id uuid not null references knowledge_crawls (id) on delete cascade,
  url      text not null,
  depth    integer not null,
  position bigint generated always as identity,
  state    text not null default 'waiting' check (state in ('waiting', 'added', 'skipped', 'failed')),
  reason   text,
  primary key (crawl_id, url)
);
create index knowledge_crawl_pages_waiting on knowledge_crawl_pages (crawl_id, position) where state = 'waiting';
