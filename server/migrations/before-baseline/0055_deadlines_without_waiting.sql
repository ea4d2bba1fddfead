-- A run's deadline does not count the time for which it only waits: for a time, an event, a person or child runs.
-- Null while the deadline counts; otherwise since when it does not.
alter table runs add column waiting_since timestamptz, add column waited_ms bigint not null default 0;
update runs set waiting_since = now() where status = 'waiting'
  and not exists (select from run_steps s where s.run_id = runs.id and s.status = 'retrying');
drop index runs_deadlines;
create index runs_deadlines on runs (deadline_at)
  where status in ('queued', 'running', 'waiting') and waiting_since is null;

create function waited(since timestamptz, until timestamptz) returns interval language sql immutable
  return coalesce(greatest(until - since, interval '0'), interval '0');
