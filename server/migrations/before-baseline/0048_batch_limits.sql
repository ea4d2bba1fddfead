-- The size of a batch is a limit of the server (`batchLimits` in event-bus/payload.ts) and is passed in, so that it is
-- written down once. Otherwise as `publish_batch`. Returns the events that existed already, by their id or by their
-- publisher's key.
create function store_event_batches(
  given jsonb, has_keys boolean, published timestamptz, keys_expire timestamptz, max_events integer, max_bytes bigint)
returns table (event_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  known uuid[] := '{}';
  fresh uuid[];
begin
  if has_keys then
    -- In one order, so that two batches never wait for each other.
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
      "userId", payload, "publishedAt", hop, chain, "rootEventId", "causationRunId", number)
    where "eventId" <> all (known) order by number
    on conflict (event_id) do nothing
    returning event_id, seq, event_type, payload_bytes
  ), batched as (
    insert into event_batches (seq, seqs, event_types, bytes)
    select min(seq), array_agg(seq), array_agg(distinct event_type), sum(payload_bytes)
    from (select *, sum(payload_bytes) over so_far as bytes_so_far, count(*) over so_far as number from stored
      window so_far as (order by seq rows unbounded preceding)) as numbered
    group by (bytes_so_far - payload_bytes) / max_bytes, (number - 1) / max_events
  )
  select coalesce(array_agg(event_id), '{}') into fresh from stored;
  if cardinality(fresh) < jsonb_array_length(given) then
    return query select "eventId" from jsonb_to_recordset(given) as given ("eventId" uuid) where "eventId" <> all (fresh);
  end if;
end $$;

-- For nodes of the previous release, with the limits they were built with.
create or replace function publish_batch(
  given jsonb, has_keys boolean, published timestamptz, keys_expire timestamptz)
returns table (event_id uuid) language sql as $$
  select * from store_event_batches(given, has_keys, published, keys_expire, 500, 4194304)
$$;

-- For nodes of the release before that one.
drop function store_events;
