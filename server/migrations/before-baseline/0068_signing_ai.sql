-- Whether an organization, or a person without one, lets a model read their documents. No row: it doesn't.
create table signing_ai (
  scope_id   uuid primary key,
  enabled    boolean not null,
  model      text,
  updated_at timestamptz not null,
  check (not enabled or model is not null)
);

-- A summary for recipients, made by a model and accepted by the owner.
alter table signing_documents add column summary text;
