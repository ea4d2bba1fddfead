-- How the runs of each workflow ended, by hour: what its statistics add up. Runs of the last hour are counted as they are.
create table workflow_run_hours (
  workflow_id uuid not null references workflows (id) on delete cascade,
  hour        timestamptz not null,
  -- Of the costs; empty for runs without any.
  currency    text not null,
  succeeded   integer not null,
  failed      integer not null,
  cancelled   integer not null,
  timed_out   integer not null,
  cost        numeric not null,
  -- Succeeded runs by duration: how many in each bucket. A bucket is a tenth longer than the one before.
  durations   jsonb not null,
  primary key (workflow_id, hour, currency)
);
create index workflow_run_hours_hour on workflow_run_hours (hour);
-- One row: up to when runs are in the table above.
create table run_hours_folded (
  only_one boolean primary key default true check (only_one),
  until    timestamptz not null
);
create index runs_ended_of_workflow on runs (workflow_id, finished_at) where finished_at is not null and not is_test;
