-- How large each event's payload is before it is stored, where it may be compressed: what is read at once can then be
-- bounded without reading it. Null for events of the time before; these are measured when they are read.
alter table events add column payload_bytes integer;

-- As before, with the size.
create or replace function publish_events(given json, has_keys boolean, published timestamptz, keys_expire timestamptz)
returns table (event_id uuid, seq bigint) language plpgsql as $$
#variable_conflict use_column
declare
  known uuid[] := '{}';
begin
  if has_keys then
    with keyed as (
      select * from json_to_recordset(given) as keyed ("eventId" uuid, publisher text, key text)
      where publisher is not null
    ), claimed as (
      insert into event_keys (publisher, key, event_id, expires_at)
      select publisher, key, "eventId", keys_expire from keyed order by publisher, key
      on conflict (publisher, key) do update set event_id = excluded.event_id, expires_at = excluded.expires_at
        where event_keys.expires_at <= published
      returning event_id
    )
    select coalesce(array_agg("eventId"), '{}') into known from keyed
    where "eventId" not in (select event_id from claimed);
  end if;
  return query
    with stored as (
      insert into events (event_id, scope_id, event_type, source, correlation_id, user_id, payload, payload_bytes,
        published_at, hop, chain, root_event_id, causation_run_id)
      select "eventId", "scopeId", "eventType", source, "correlationId", "userId", coalesce(payload, 'null'),
        pg_column_size(coalesce(payload, 'null')), "publishedAt", hop, chain, "rootEventId", "causationRunId"
      from json_to_recordset(given) as given (
        "eventId" uuid, "scopeId" uuid, "eventType" text, source text, "correlationId" text, "userId" uuid,
        payload jsonb, "publishedAt" timestamptz, hop integer, chain uuid[], "rootEventId" uuid,
        "causationRunId" uuid, place integer)
      where "eventId" <> all (known) order by place
      on conflict (event_id) do nothing
      returning event_id, seq
    ), waiting as (
      insert into event_dispatches (seq, event_id, due_at) select seq, event_id, published from stored
    )
    select event_id, seq from stored;
end $$;
