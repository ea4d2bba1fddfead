-- Publishing, with records that leave out what most events do not have: a user, a run that led to them, a key of their
-- publisher. Times come as milliseconds, and their order is that of the list. Answers only those that existed already,
-- by their id or by their publisher's key. `publish_events` stays for nodes of the version before, which may still run.
create function store_events(given jsonb, has_keys boolean, published timestamptz, keys_expire timestamptz)
returns table (event_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  known uuid[] := '{}';
  fresh uuid[];
begin
  if has_keys then
    with keyed as (
      select * from jsonb_to_recordset(given) as keyed ("eventId" uuid, publisher text, key text)
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
  with stored as (
    insert into events (event_id, scope_id, event_type, source, correlation_id, user_id, payload, payload_bytes,
      published_at, hop, chain, root_event_id, causation_run_id)
    select "eventId", "scopeId", "eventType", source, "correlationId", "userId", coalesce(payload, 'null'),
      pg_column_size(coalesce(payload, 'null')), to_timestamp("publishedAt" / 1000), coalesce(hop, 0),
      coalesce(chain, '{}'), coalesce("rootEventId", "eventId"), "causationRunId"
    from rows from (jsonb_to_recordset(given) as (
      "eventId" uuid, "scopeId" uuid, "eventType" text, source text, "correlationId" text, "userId" uuid,
      payload jsonb, "publishedAt" double precision, hop integer, chain uuid[], "rootEventId" uuid,
      "causationRunId" uuid)) with ordinality as given ("eventId", "scopeId", "eventType", source, "correlationId",
      "userId", payload, "publishedAt", hop, chain, "rootEventId", "causationRunId", place)
    where "eventId" <> all (known) order by place
    on conflict (event_id) do nothing
    returning event_id, seq
  ), waiting as (
    insert into event_dispatches (seq, event_id, due_at) select seq, event_id, published from stored
  )
  select coalesce(array_agg(event_id), '{}') into fresh from stored;
  if cardinality(fresh) < jsonb_array_length(given) then
    return query select "eventId" from jsonb_to_recordset(given) as given ("eventId" uuid) where "eventId" <> all (fresh);
  end if;
end $$;

-- The newest come first in every list, but they are inserted last: an index in the order of insertion fills its pages,
-- one against it splits them in halves, and reading backwards costs the same.
-- Made beside the old ones, which serve readers until the end.
create index events_scope_new on events (scope_id, seq);
create index events_type_new on events (scope_id, event_type, seq);
create index events_correlation_new on events (correlation_id, seq);
drop index events_scope, events_type, events_correlation;
alter index events_scope_new rename to events_scope;
alter index events_type_new rename to events_type;
alter index events_correlation_new rename to events_correlation;
