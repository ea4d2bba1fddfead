-- A filter that fails again and again is paused until someone changes its subscription. The score grows with each failure
-- and starts over with each evaluation that succeeds (event-bus/dispatch/filter-health.ts).
alter table subscriptions
  add column failure_score integer not null default 0,
  add column paused_at timestamptz,
  add column paused_reason text;
-- Almost always empty: a dispatch finds at once that no score has to be reset.
create index subscriptions_failing on subscriptions (id) where failure_score > 0;
