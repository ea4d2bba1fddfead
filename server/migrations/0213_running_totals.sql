-- What would be added up from many rows each time somebody asks: bytes stored, chats by tag. The rows of a kind, owner and
-- name add up to its total. A change adds a row and locks none, so writers never wait for each other; 0215 puts the rows
-- of a name together from time to time. The next migration adds what is there already.
create table running_totals (
  kind     text not null,
  -- An organization, or a person.
  owner_id uuid not null,
  name     text not null,
  amount   bigint not null
);
create index running_totals_owner on running_totals (kind, owner_id, name) include (amount);

create function add_to_running_totals(of_kind text, owners uuid[], names text[], amounts bigint[]) returns void
language plpgsql as $$
begin
  insert into running_totals (kind, owner_id, name, amount)
  select of_kind, owner, change_name, sum(change)
  from unnest(owners, names, amounts) as changes (owner, change_name, change)
  where owner is not null group by owner, change_name having sum(change) <> 0;
end $$;

-- Files: of the organization, or of a person without one.
create function total_files() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_running_totals('file_bytes', array_agg(owner), array_agg(''::text), array_agg(bytes)) from (
      select coalesce(organization_id, case when owner_kind = 'user' then owner_id end) as owner, size as bytes from new_rows
    ) as changes;
  elsif tg_op = 'DELETE' then
    perform add_to_running_totals('file_bytes', array_agg(owner), array_agg(''::text), array_agg(bytes)) from (
      select coalesce(organization_id, case when owner_kind = 'user' then owner_id end) as owner, -size as bytes from old_rows
    ) as changes;
  else
    perform add_to_running_totals('file_bytes', array_agg(owner), array_agg(''::text), array_agg(bytes)) from (
      select coalesce(organization_id, case when owner_kind = 'user' then owner_id end) as owner, size as bytes from new_rows
      union all
      select coalesce(organization_id, case when owner_kind = 'user' then owner_id end), -size from old_rows
    ) as changes;
  end if;
  return null;
end $$;
create trigger files_total_inserted after insert on files
  referencing new table as new_rows for each statement execute function total_files();
create trigger files_total_updated after update on files
  referencing old table as old_rows new table as new_rows for each statement execute function total_files();
create trigger files_total_deleted after delete on files
  referencing old table as old_rows for each statement execute function total_files();

-- Documents: their originals, which copies share, and what was sealed. An original is its documents' owner's.
alter table signing_originals add column scope_id uuid;
create function note_original_scopes() returns trigger language plpgsql as $$
begin
  update signing_originals as original set scope_id = document.scope_id
  from new_rows join signing_documents as document on document.id = new_rows.document_id
  where original.id = new_rows.original_id and original.scope_id is distinct from document.scope_id;
  return null;
end $$;
create trigger signing_files_scope_inserted after insert on signing_files
  referencing new table as new_rows for each statement execute function note_original_scopes();
create trigger signing_files_scope_updated after update on signing_files
  referencing new table as new_rows for each statement execute function note_original_scopes();
create function move_original_scopes() returns trigger language plpgsql as $$
begin
  update signing_originals set scope_id = new.scope_id
  where id in (select original_id from signing_files where document_id = new.id)
    and scope_id is distinct from new.scope_id;
  return null;
end $$;
create trigger signing_documents_scope after update of scope_id on signing_documents
  for each row when (old.scope_id is distinct from new.scope_id) execute function move_original_scopes();

create function total_originals() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform add_to_running_totals('document_bytes', array_agg(scope_id), array_agg(''::text),
      array_agg(-bytes - coalesce(upload_bytes, 0))) from old_rows;
  else
    perform add_to_running_totals('document_bytes', array_agg(scope), array_agg(''::text), array_agg(change)) from (
      select scope_id as scope, bytes + coalesce(upload_bytes, 0) as change from new_rows
      union all select scope_id, -bytes - coalesce(upload_bytes, 0) from old_rows
    ) as changes;
  end if;
  return null;
end $$;
create trigger signing_originals_total_updated after update on signing_originals
  referencing old table as old_rows new table as new_rows for each statement execute function total_originals();
create trigger signing_originals_total_deleted after delete on signing_originals
  referencing old table as old_rows for each statement execute function total_originals();

create function sealed_bytes_of(document signing_documents) returns bigint language sql immutable return
  coalesce((document).sealed_bytes + coalesce((document).certificate_bytes, 0), 0);
create function total_sealed() returns trigger language plpgsql as $$
begin
  perform add_to_running_totals('document_bytes', array[old.scope_id, new.scope_id], array['', ''],
    array[-sealed_bytes_of(old), sealed_bytes_of(new)]);
  return null;
end $$;
create trigger signing_documents_total after update of scope_id, sealed_bytes, certificate_bytes on signing_documents
  for each row when ((old.scope_id, old.sealed_bytes, old.certificate_bytes)
    is distinct from (new.scope_id, new.sealed_bytes, new.certificate_bytes)) execute function total_sealed();

-- Chats by tag, archived ones left out.
create function total_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_running_totals('chat_tags', array_agg(user_id), array_agg(tag), array_agg(1::bigint))
    from new_rows, unnest(tags) as tag where not archived;
  else
    perform add_to_running_totals('chat_tags', array_agg(user_id), array_agg(tag), array_agg(-1::bigint))
    from old_rows, unnest(tags) as tag where not archived;
  end if;
  return null;
end $$;
create trigger chats_tags_inserted after insert on chats
  referencing new table as new_rows for each statement execute function total_tags();
create trigger chats_tags_deleted after delete on chats
  referencing old table as old_rows for each statement execute function total_tags();
create function total_changed_tags() returns trigger language plpgsql as $$
begin
  perform add_to_running_totals('chat_tags', array_agg(owner), array_agg(tag), array_agg(change)) from (
    select new.user_id as owner, tag, 1::bigint as change from unnest(new.tags) as tag where not new.archived
    union all select old.user_id, tag, -1 from unnest(old.tags) as tag where not old.archived
  ) as changes;
  return null;
end $$;
create trigger chats_tags_changed after update of user_id, tags, archived on chats
  for each row when ((old.user_id, old.tags, old.archived) is distinct from (new.user_id, new.tags, new.archived))
  execute function total_changed_tags();
