-- Events and decisions in partitions by position: what there is becomes the first of them, as it is. A partition holds ten
-- million positions, or as many as a day has (event-bus/partitions.ts). Retention drops whole ones. Decision 53.

-- Makes a partition; null is without an end. Its key is its own: an event has one position and so one partition, and what
-- is unique there is unique in all of them. The parent's indexes and row triggers come with it, other triggers don't.
create function add_partition(parent text, name text, low bigint, high bigint, key text) returns void
language plpgsql as $$
declare
  other record;
begin
  execute format('create table %I (like %I including defaults including constraints including storage)', name, parent);
  execute format('alter table %I add primary key (%s)', name, key);
  for other in select tgname, tgfoid::regproc as does from pg_trigger
    where tgrelid = parent::regclass and not tgisinternal and tgtype & 1 = 0
  loop
    execute format('create trigger %I before truncate on %I for each statement execute function %s()',
      other.tgname, name, other.does);
  end loop;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', parent, name,
    coalesce(low::text, 'minvalue'), coalesce(high::text, 'maxvalue'));
end $$;

-- allowed: none of them looks at a row, and who waits for a lock gives way after three seconds.
lock table events, event_deliveries in access exclusive mode;

alter table events rename to events_first;
alter table events_first rename constraint events_pkey to events_first_pkey;
alter index events_seq rename to events_first_seq;
alter index events_scope rename to events_first_scope;
alter index events_type rename to events_first_type;
alter index events_correlation rename to events_first_correlation;
alter index events_source rename to events_first_source;
drop trigger events_immutable on events_first;

alter table event_deliveries rename to event_deliveries_first;
alter table event_deliveries_first rename constraint event_deliveries_pkey to event_deliveries_first_pkey;
alter index event_deliveries_fired rename to event_deliveries_first_fired;
alter index event_deliveries_decided_at rename to event_deliveries_first_decided_at;

-- allowed: the text is put together because the next position and the end of the first partition are counted.
do $$
declare
  size constant bigint := 10000000;
  next bigint;
  until bigint;
  name text;
begin
  select case when is_called then last_value + 1 else 1 end into next from events_seq_seq;
  select (regexp_match(pg_get_constraintdef(oid), '\d+'))[1] into until
    from pg_constraint where conname = 'before_partitions' and conrelid = 'events_first'::regclass;

  alter table events_first alter column seq drop identity;
  create table events (like events_first including defaults including storage) partition by range (seq);
  execute format('alter table events alter column seq add generated always as identity (start with %s)', next);
  create table event_deliveries (like event_deliveries_first including defaults) partition by range (seq);

  create unique index events_seq on events (seq);
  create index events_scope on events (scope_id, seq);
  create index events_type on events (scope_id, event_type, seq);
  create index events_correlation on events (correlation_id, seq);
  create index events_source on events (scope_id, source, seq);
  create trigger events_immutable before update or delete on events
    for each row execute function refuse_event_change();
  create trigger events_kept before truncate on events for each statement execute function refuse_event_truncate();
  create index event_deliveries_fired on event_deliveries (correlation_id, decided_at) where decision = 'fired';
  create index event_deliveries_decided_at on event_deliveries (decided_at);

  foreach name in array array['events', 'event_deliveries'] loop
    execute format('alter table %I attach partition %I for values from (minvalue) to (%s)',
      name, name || '_first', until);
    execute format('alter table %I drop constraint before_partitions', name || '_first');
    for ahead in 0..2 loop
      perform add_partition(name, name || '_' || until + ahead * size, until + ahead * size, until + (ahead + 1) * size,
        case name when 'events' then 'event_id' else 'event_id, subscription_id' end);
    end loop;
    perform add_partition(name, name || '_rest', until + 3 * size, null,
      case name when 'events' then 'event_id' else 'event_id, subscription_id' end);
  end loop;
end $$;

-- As before, but an id that was given may exist in any partition, so it is looked for first. Such ids aren't of version 7,
-- as ours are, which are always new. `has_keys` says that ids or keys were given.
create or replace function store_event_batches(
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
    -- One transaction at a time for each id, again in one order. What one has committed, the next one sees.
    perform pg_advisory_xact_lock(hashtextextended("eventId"::text, 0)) from (
      select "eventId" from jsonb_to_recordset(given) as given ("eventId" uuid)
      where get_byte(uuid_send("eventId"), 6) >> 4 <> 7 order by "eventId") as named;
    known := known || array(
      select event_id from jsonb_to_recordset(given) as given ("eventId" uuid)
        cross join lateral (select event_id from events where event_id = "eventId" limit 1) as earlier
      where get_byte(uuid_send("eventId"), 6) >> 4 <> 7);
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
    returning event_id, seq, event_type, payload_bytes, dispatch_lane(scope_id) as lane
  ), batched as (
    insert into event_batches (seq, span, seqs, event_types, bytes, lane)
    select min(seq), max(seq) - min(seq), array_agg(seq), array_agg(distinct event_type), sum(payload_bytes), lane
    from (select *, sum(payload_bytes) over so_far as bytes_so_far, count(*) over so_far as number from stored
      window so_far as (partition by lane order by seq rows unbounded preceding)) as numbered
    group by lane, (bytes_so_far - payload_bytes) / max_bytes, (number - 1) / max_events
  )
  select coalesce(array_agg(event_id), '{}') into fresh from stored;
  if cardinality(fresh) < jsonb_array_length(given) then
    return query select "eventId" from jsonb_to_recordset(given) as given ("eventId" uuid) where "eventId" <> all (fresh);
  end if;
end $$;
