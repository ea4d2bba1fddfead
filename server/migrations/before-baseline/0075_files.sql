-- Uploaded files. The bytes are a blob; the extracted text has a table of its own, so that lists never read it.
create table files (
  id              uuid primary key,
  owner_kind      text not null check (owner_kind in ('user', 'admin')),
  owner_id        uuid not null,
  -- Whose plan its storage counts towards.
  organization_id uuid,
  name            text not null,
  content_type    text not null,
  size            bigint not null,
  sha256          text not null,
  blob_key        text not null unique,
  -- stored: nobody has asked for it to be processed.
  state           text not null check (state in ('stored', 'pending', 'completed', 'failed')),
  error           text,
  progress        jsonb,
  -- Processing: who works on it holds a lease, by the database's clock. Every write of a worker carries its epoch.
  attempts        integer not null default 0,
  is_claimed      boolean not null default false,
  lease_epoch     integer not null default 0,
  lease_until     timestamptz not null default now(),
  created_at      timestamptz not null,
  updated_at      timestamptz not null
);
create index files_owner on files (owner_kind, owner_id, created_at desc, id);
create index files_organization on files (organization_id) where organization_id is not null;
create index files_pending on files (lease_until) where state = 'pending';

-- `marks` says from which character on which page and heading apply.
create table file_texts (
  file_id uuid primary key references files (id) on delete cascade,
  content text not null,
  marks   jsonb not null
);
