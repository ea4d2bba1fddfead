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
  causation_run_id uuid
);
create unique index events_seq on events (seq);
create index events_scope on events (scope_id, seq desc);
create index events_type on events (scope_id, event_type, seq desc);
create index events_correlation on events (correlation_id, seq desc);
-- For retention alone; rows lie in the order of their times, so a summary of each block is enough.
create index events_published on events using brin (published_at);

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

-- Stores events together with their dispatch, and answers those that did not exist already. A function, because its plan
-- is kept: planning the statement anew would cost as much as storing thirty events. A key that another transaction is
-- about to commit is waited for; keys are taken in one order, so that two batches never wait for each other crosswise.
create function publish_events(given json, has_keys boolean, published timestamptz, keys_expire timestamptz)
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
      insert into events (event_id, scope_id, event_type, source, correlation_id, user_id, payload, published_at,
        hop, chain, root_event_id, causation_run_id)
      select "eventId", "scopeId", "eventType", source, "correlationId", "userId", coalesce(payload, 'null'),
        "publishedAt", hop, chain, "rootEventId", "causationRunId"
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
  created_at    timestamptz not null
);
create index subscriptions_workflow on subscriptions (workflow_id);

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
create index event_deliveries_decided on event_deliveries using brin (decided_at);
-- How many runs began lately in one process of the business: the fuse against loops.
create index event_deliveries_fired on event_deliveries (correlation_id, decided_at)
  where decision = 'fired';

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
