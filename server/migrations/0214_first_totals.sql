-- concurrently
-- What the running totals begin with. One statement sees the rows and what their triggers have added since at the same
-- moment, so nothing is counted twice.
update signing_originals as original set scope_id = document.scope_id
  from signing_files as file join signing_documents as document on document.id = file.document_id
  where file.original_id = original.id and original.scope_id is null;
with earlier as (delete from running_totals)
insert into running_totals (kind, owner_id, name, amount)
  select kind, owner, name, sum(amount) from (
    select 'file_bytes' as kind, coalesce(organization_id, case when owner_kind = 'user' then owner_id end) as owner,
      '' as name, size as amount from files
    union all
    select 'document_bytes', scope_id, '', bytes + coalesce(upload_bytes, 0) from signing_originals
    union all
    select 'document_bytes', scope_id, '', sealed_bytes + coalesce(certificate_bytes, 0) from signing_documents
    union all
    select 'chat_tags', user_id, tag, 1 from chats, unnest(tags) as tag where not archived
  ) as parts
  where owner is not null and amount is not null group by kind, owner, name;

-- Members are counted by their index alone, and the audit log is sorted by one.
create index concurrently if not exists users_members on users (organization_id, status) where organization_id is not null;
create index concurrently if not exists audit_log_actions on audit_log (action, id);
create index concurrently if not exists audit_log_actors on audit_log (lower(coalesce(actor_name, '')), id);
create index concurrently if not exists audit_log_ips on audit_log (coalesce(ip, ''), id);
