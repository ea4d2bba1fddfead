-- What is published together is dispatched together, and one row stands for all of it: written, found and deleted at once,
-- where each event had a row of its own. `event_dispatches` has those that are dispatched alone: because their batch
-- failed, because somebody takes them out of the dead letters, or because a node of the version before published them.
create table event_batches (
  -- The first of its places.
  seq         bigint primary key,
  seqs        bigint[] not null,
  -- Each once: what tells whether anybody wants any of them, without a look at the events.
  event_types text[] not null,
  -- Of their payloads.
  bytes       bigint not null
);
-- Numbers like these do not compress, so nobody shall try.
alter table event_batches alter column seqs set storage external;

-- As `store_events`, which stays for nodes of the version before. More than 4 MB or 500 events are several batches.
create function publish_batch(given jsonb, has_keys boolean, published timestamptz, keys_expire timestamptz)
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
    returning event_id, seq, event_type, payload_bytes
  ), batched as (
    insert into event_batches (seq, seqs, event_types, bytes)
    select min(seq), array_agg(seq), array_agg(distinct event_type), sum(payload_bytes)
    from (select *, sum(payload_bytes) over so_far as filled, count(*) over so_far as place from stored
      window so_far as (order by seq rows unbounded preceding)) as placed
    group by (filled - payload_bytes) / 4194304, (place - 1) / 500
  )
  select coalesce(array_agg(event_id), '{}') into fresh from stored;
  if cardinality(fresh) < jsonb_array_length(given) then
    return query select "eventId" from jsonb_to_recordset(given) as given ("eventId" uuid) where "eventId" <> all (fresh);
  end if;
end $$;

-- Of the version before that.
drop function publish_events;
