-- Everybody of an organization reads its events, but not its documents: what the events of documents said beside ids goes.
alter table events disable trigger events_immutable;
update events set payload = jsonb_strip_nulls(jsonb_build_object(
    'document_id', payload -> 'document_id',
    'recipient', case when payload ? 'recipient'
      then jsonb_build_object('id', payload #> '{recipient,id}', 'role', payload #> '{recipient,role}') end))
  where source = 'signing' and scope_id in (select id from organizations) and payload ? 'title'
    and exists (select from signing_documents where id::text = events.payload ->> 'document_id');
alter table events enable trigger events_immutable;
