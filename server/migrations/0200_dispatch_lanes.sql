-- Dispatch in lanes by scope instead of one dispatch at a time, a queue of its own for each tenant that is over its share,
-- and a log of changed subscriptions. Decision 49.

-- Nodes of the previous release claim this row to dispatch. Without it their claim finds nothing and they leave the queue
-- to nodes of this release; a dispatch that is under way is waited for here. The table stays until no such node is left.
delete from dispatch_claim;

-- The lane of a scope: by its last digit, which is random in our ids. The instance has its own.
create function dispatch_lane(scope uuid) returns smallint language sql immutable parallel safe
return case when scope = '00000000-0000-0000-0000-000000000000' then 16 else get_byte(uuid_send(scope), 15) & 15 end;

-- Locked by the node that dispatches a lane, until its transaction ends. Each lane has two halves, which are dispatched
-- side by side: the usual one, and one for tenants that are over their share.
create table dispatch_lanes (
  lane         smallint not null,
  is_postponed boolean not null,
  -- The tenant whose turn was last in the postponed half.
  last_scope   uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (lane, is_postponed)
);
insert into dispatch_lanes (lane, is_postponed)
select lane, is_postponed from generate_series(0, 16) as lane, (values (false), (true)) as halves (is_postponed);

-- Events that are still to be decided for one tenant, because it was over its share when they were dispatched.
create table postponed_events (
  lane       smallint not null,
  scope_id   uuid not null,
  seq        bigint not null,
  attempts   integer not null default 0,
  due_at     timestamptz not null,
  last_error text,
  primary key (lane, scope_id, seq)
);
create index postponed_events_seq on postponed_events (seq);

-- The default is for nodes of the previous release, which know no lanes.
alter table event_dispatches add column lane smallint not null default 16;
update event_dispatches d set lane = dispatch_lane(e.scope_id) from events e where e.seq = d.seq;

alter table event_batches add column lane smallint not null default 16;
with queued as (
  delete from event_batches returning seq, seqs
), placed as (
  select queued.seq as batch, dispatch_lane(e.scope_id) as lane, e.seq, e.event_type,
    coalesce(e.payload_bytes, octet_length(e.payload::text)) as size
  from queued cross join lateral unnest(queued.seqs) as one (seq) join events e on e.seq = one.seq
)
insert into event_batches (seq, span, seqs, event_types, bytes, lane)
select min(seq), max(seq) - min(seq), array_agg(seq), array_agg(distinct event_type), sum(size), lane
from placed group by batch, lane;
create index event_batches_lane on event_batches (lane, seq);

-- Which subscriptions changed: a dispatcher reads only those. Written by a trigger, so that nobody can forget it. Who
-- remembers a snapshot finds what was committed since, however late: what that snapshot did not see.
create table subscription_log (
  subscription_id uuid not null,
  xid             xid8 not null default pg_current_xact_id(),
  changed_at      timestamptz not null default now()
);
create index subscription_log_xid on subscription_log (xid);
create index subscription_log_time on subscription_log (changed_at);

create function log_subscription() returns trigger language plpgsql as $$
begin
  insert into subscription_log (subscription_id) values (coalesce(new.id, old.id));
  return null;
end $$;
create trigger subscription_made after insert or delete on subscriptions
  for each row execute function log_subscription();
-- The score of a filter changes often and matters to no dispatch.
create trigger subscription_changed after update on subscriptions
  for each row when ((old.scope_id, old.workflow_id, old.name, old.event_type, old.filter_expr, old.concurrency,
      old.allow_reentry, old.catalog_id, old.space_id, old.enabled, old.paused_at)
    is distinct from (new.scope_id, new.workflow_id, new.name, new.event_type, new.filter_expr, new.concurrency,
      new.allow_reentry, new.catalog_id, new.space_id, new.enabled, new.paused_at))
  execute function log_subscription();

-- As before, with one batch for each lane.
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

-- A snapshot in which the own transaction, and everything that began after it, is still to come. PostgreSQL leaves the own
-- transaction out of its list of those under way, so what it changes later would count as seen. Those under way from the
-- snapshot's end on aren't listed either, and the own id may lie beyond that end.
create function snapshot_before_own() returns pg_snapshot language sql stable as $$
  select coalesce(
    (select (least(pg_snapshot_xmin(now.snapshot), ended.at)::text || ':' || ended.at::text || ':' || coalesce(
        (select string_agg(under_way::text, ',' order by under_way)
          from pg_snapshot_xip(now.snapshot) as under_way where under_way < ended.at), ''))::pg_snapshot
      from (select pg_current_snapshot() as snapshot) as now, pg_current_xact_id_if_assigned() as own,
        least(own, pg_snapshot_xmax(now.snapshot)) as ended (at)
      where own is not null),
    pg_current_snapshot())
$$;

-- What changed since a snapshot, and the snapshot of this moment. At most 1,001: who is further behind reads everything
-- anew, and so does who is half a day behind, since the log is kept for a day.
create function subscriptions_changed(since pg_snapshot, since_at timestamptz) returns json language sql stable as $$
  select json_build_object(
    'snapshot', snapshot_before_own()::text,
    'at', now(),
    'isTooOld', since_at < now() - interval '12 hours',
    'ids', coalesce((
      select json_agg(subscription_id) from (
        select distinct subscription_id from subscription_log
        where xid >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(xid, since) limit 1001
      ) as changed), '[]'))
$$;
