-- Many envelopes from one template and a table of people. Each row is made and sent in one transaction, once.
create table signing_bulk_jobs (
  id          uuid primary key,
  scope_id    uuid not null,
  template_id uuid not null references signing_documents (id),
  owner_id    uuid not null,
  created_at  timestamptz not null,
  done_at     timestamptz
);
create table signing_bulk_rows (
  job_id      uuid not null references signing_bulk_jobs (id) on delete cascade,
  row_number  integer not null,
  title       text not null,
  state       text not null check (state in ('READY', 'REFUSED', 'SENT', 'FAILED')),
  problems    text[] not null,
  -- Who fills which role and which values are there from the start; null where the row was refused.
  request     jsonb,
  document_id uuid,
  primary key (job_id, row_number)
);
