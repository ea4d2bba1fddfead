-- The organizations that `chancery demo` made. What belongs to one of them may be deleted, evidence of documents too.
create table demo_organizations (
  organization_id uuid primary key references organizations (id) on delete cascade,
  created_at      timestamptz not null
);

create or replace function refuse_signing_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from signing_documents d join demo_organizations o on o.organization_id = d.organization_id
    where d.id = old.document_id
  ) then
    return old;
  end if;
  raise exception 'the signing audit log is append-only' using errcode = 'restrict_violation';
end $$;
