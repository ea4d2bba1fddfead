-- The event bus: immutable events, who wants them, and what was decided for each.
-- A scope is an organization's id, a person's id where they have none, or the nil id for the whole instance.

create table events (
  event_id         uuid primary key,
  -- Before `seq`, so that a transaction has its number before it draws a place in the stream: whoever sees a later
  -- place then knows which transactions may still fill an earlier one.
  xid              xid8 not null default pg_current_xact_id(),
  -- Where it stands in the stream. Places are drawn before the commit, so they become visible out of order.
  seq              bigint generated always as identity,
  scope_id         uuid not null,
  event_type       text not null,
  source           text not null,
  correlation_id   text not null,
  user_id          uuid,
  payload          jsonb not null,
  published_at     timestamptz not null,
  -- How it came about: through how many runs, of which workflows, beginning with which event.
  hop              integer not null default 0,
  chain            uuid[] not null default '{}',
  root_event_id    uuid not null,
  causation_run_id uuid,
  -- How large each event's payload is before it is stored, where it may be compressed: what is read at once can then be
  -- bounded without reading it. Null for events of the time before; these are measured when they are read.
  payload_bytes    integer
);
create unique index events_seq on events (seq);
-- The newest come first in every list, but they are inserted last: an index in the order of insertion fills its pages,
-- one against it splits them in halves, and reading backwards costs the same.
create index events_scope on events (scope_id, seq);
create index events_type on events (scope_id, event_type, seq);
create index events_correlation on events (correlation_id, seq);
-- Events of one source, also together with a type, in the order of the stream.
create index events_source on events (scope_id, source, seq);

-- An event is a fact: never changed, and deleted by retention alone, which says so in its transaction.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('chancery.retention', true) = 'on' then
    return old;
  end if;
  raise exception 'events are immutable' using errcode = 'restrict_violation';
end $$;
create trigger events_immutable before update or delete on events for each row execute function refuse_event_change();

create function refuse_event_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'events are immutable' using errcode = 'restrict_violation';
end $$;
create trigger events_kept before truncate on events for each statement execute function refuse_event_truncate();

-- The publisher's own names for events: the same one again within a day is the same event.
create table event_keys (
  publisher  text not null,
  key        text not null,
  event_id   uuid not null,
  expires_at timestamptz not null,
  primary key (publisher, key)
);
create index event_keys_expiry on event_keys (expires_at);

-- Written with the event in one statement, deleted with its decisions: what stands here is still to be dispatched.
-- No foreign key: it would cost a lookup for every event, and retention passes over events that stand here.
create table event_dispatches (
  seq        bigint primary key,
  event_id   uuid not null,
  attempts   integer not null default 0,
  due_at     timestamptz not null,
  last_error text
);

create table subscriptions (
  id            uuid primary key,
  scope_id      uuid not null,
  workflow_id   uuid not null,
  name          text not null,
  event_type    text not null,
  filter_expr   text,
  concurrency   text not null check (concurrency in ('parallel', 'one_per_correlation')),
  allow_reentry boolean not null default false,
  catalog_id    uuid,
  space_id      uuid,
  enabled       boolean not null default true,
  created_at    timestamptz not null,
  -- A filter that fails again and again is paused until someone changes its subscription. The score grows with each
  -- failure and starts over with each evaluation that succeeds (event-bus/dispatch/filter-health.ts).
  failure_score integer not null default 0,
  paused_at     timestamptz,
  paused_reason text
);
create index subscriptions_workflow on subscriptions (workflow_id);
-- Almost always empty: a dispatch finds at once that no score has to be reset.
create index subscriptions_failing on subscriptions (id) where failure_score > 0;

-- One row: how often subscriptions have changed. Dispatchers keep them compiled, and know by this when to read again.
create table subscription_changes (
  id      boolean primary key default true check (id),
  version bigint not null
);
insert into subscription_changes (version) values (0);

-- One decision for each event and subscription, whatever happens in between. It stays readable when the subscription
-- is gone, so it carries what it needs of it.
create table event_deliveries (
  event_id          uuid not null,
  subscription_id   uuid not null,
  scope_id          uuid not null,
  subscription_name text not null,
  workflow_id       uuid not null,
  correlation_id    text not null,
  decision          text not null,
  run_id            uuid,
  reason            text,
  decided_at        timestamptz not null,
  primary key (event_id, subscription_id)
);
-- How many runs began lately in one process of the business: the fuse against loops.
create index event_deliveries_fired on event_deliveries (correlation_id, decided_at)
  where decision = 'fired';
-- Retention finds the oldest decisions directly. With block summaries (brin) every batch read again what the batches
-- before it had deleted. Decisions of one dispatch share their time, which keeps this index small.
create index event_deliveries_decided_at on event_deliveries (decided_at);

-- Events whose dispatch failed for good.
create table event_dead_letters (
  id        uuid primary key,
  event_id  uuid not null unique,
  seq       bigint not null,
  scope_id  uuid not null,
  error     text not null,
  attempts  integer not null,
  failed_at timestamptz not null
);
create index event_dead_letters_scope on event_dead_letters (scope_id, failed_at desc);

-- What is published together is dispatched together, and one row stands for all of it: written, found and deleted at
-- once. `event_dispatches` has those that are dispatched alone: because their batch failed, or because somebody takes
-- them out of the dead letters.
create table event_batches (
  -- The first of its places.
  seq         bigint primary key,
  seqs        bigint[] not null,
  -- Each once: what tells whether anybody wants any of them, without a look at the events.
  event_types text[] not null,
  -- Of their payloads.
  bytes       bigint not null,
  -- From its first position to its last. With the longest of all spans, the batch that holds a position is found among
  -- the few that can reach it, however long the queue is. As a generated column it took a query of its own for every
  -- batch.
  span        bigint not null
);
-- Numbers like these do not compress, so nobody shall try.
alter table event_batches alter column seqs set storage external;
create index event_batches_span on event_batches (span);

-- Publishing, with records that leave out what most events do not have: a user, a run that led to them, a key of their
-- publisher. Times come as milliseconds, and the order of events is that of the list. The size of a batch is a limit of
-- the server (`batchLimits` in event-bus/payload.ts) and is passed in, so that it is written down once. Returns the
-- events that existed already, by their id or by their publisher's key. A function, because its plan is kept: planning
-- the statement anew would cost as much as storing thirty events.
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
    insert into event_batches (seq, span, seqs, event_types, bytes)
    select min(seq), max(seq) - min(seq), array_agg(seq), array_agg(distinct event_type), sum(payload_bytes)
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
create function publish_batch(
  given jsonb, has_keys boolean, published timestamptz, keys_expire timestamptz)
returns table (event_id uuid) language sql as $$
  select * from store_event_batches(given, has_keys, published, keys_expire, 500, 4194304)
$$;

-- One row that a dispatch locks until its transaction ends, so that one dispatch runs at a time across all nodes. Other
-- nodes skip it instead of waiting for it, and PostgreSQL itself ends the transaction of a node that stopped
-- responding.
create table dispatch_claim (
  id boolean primary key default true check (id)
);
insert into dispatch_claim default values;

-- The first position from which on events were published at this time or later, by binary search over positions. It is
-- exact where the clocks of all nodes agree; callers leave a margin for clocks that differ.
create function event_seq_from(target timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint;
  high bigint;
  middle bigint;
  probe record;
begin
  select min(seq), max(seq) + 1 into low, high from events;
  if low is null then
    return 0;
  end if;
  while low < high loop
    middle := (low + high) / 2;
    select seq, published_at into probe from events where seq >= middle order by seq limit 1;
    if probe.seq is null or probe.published_at >= target then
      high := middle;
    else
      low := probe.seq + 1;
    end if;
  end loop;
  return low;
end $$;

-- Decisions made before this time have been deleted, so an event without any may have had some. One row.
create table delivery_retention (
  id         boolean primary key default true check (id),
  through_at timestamptz not null
);
insert into delivery_retention (through_at) values ('epoch');
