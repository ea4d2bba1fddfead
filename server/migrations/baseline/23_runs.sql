-- Runs of workflows, their steps, and what they wait for.

create table runs (
  id                     uuid primary key,
  workflow_id            uuid not null,
  workflow_name          text not null,
  version_id             uuid not null,
  version                integer not null,
  graph_hash             text not null,
  scope_id               uuid not null,
  status                 text not null check (status in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'timed_out')),
  trigger_kind           text not null check (trigger_kind in ('manual', 'cron', 'webhook', 'event', 'subworkflow', 'error')),
  trigger_id             uuid,
  event_id               uuid,
  -- Null: the run has no key and runs beside any other.
  correlation_id         text,
  is_one_per_correlation boolean not null default false,
  -- On whose behalf models and tools are called.
  user_id                uuid,
  catalog_id             uuid,
  space_id               uuid,
  parent_run_id          uuid,
  -- The node that started it, with the item's number inside a for_each.
  parent_step            text,
  -- The first run, where this one goes on from where that failed.
  retry_of               uuid,
  hop                    integer not null default 0,
  chain                  uuid[] not null default '{}',
  root_event_id          uuid,
  -- What the first node sees; `_event` in it for runs that an event started.
  input                  jsonb not null,
  output                 jsonb,
  error                  text,
  prompt_tokens          bigint not null default 0,
  completion_tokens      bigint not null default 0,
  -- Whoever writes must hold the epoch: a worker that lost its lease changes nothing any more.
  epoch                  integer not null default 0,
  lease_node             uuid,
  lease_until            timestamptz,
  -- When a waiting or queued run wants to be looked at next; null waits for an event or an answer.
  wake_at                timestamptz,
  -- Counts what came for the run: whoever lays it down must have seen all of it.
  nudges                 integer not null default 0,
  deadline_at            timestamptz not null,
  created_at             timestamptz not null,
  started_at             timestamptz,
  finished_at            timestamptz,
  -- Exact, and as it was at the time of the calls: a price that changes later changes no run.
  cost                   numeric(30, 12),
  -- Of the cost; null with it.
  currency               text,
  -- Whether a model was called that had no price.
  has_unpriced           boolean not null default false,
  -- A run's deadline does not count the time for which it only waits: for a time, an event, a person or child runs.
  -- Null while the deadline counts; otherwise since when it does not.
  waiting_since          timestamptz,
  waited_ms              bigint not null default 0,
  -- Runs of a draft, to try it. They belong to no version: version_id is the nil id, and version 0.
  is_test                boolean not null default false,
  -- Nodes that reach other systems or people are not run.
  is_dry                 boolean not null default false,
  -- The run whose input a run was started with again, on the version that was live then.
  replay_of              uuid,
  -- How many characters of `run_model_calls` a run has, so that it can't grow without limit.
  trace_size             integer not null default 0,
  -- What the API key that started a run is held to; null where none was, or an unlimited one.
  allowed_routes         text[]
);
create unique index runs_one_per_correlation on runs (workflow_id, correlation_id)
  where is_one_per_correlation and correlation_id is not null and status in ('queued', 'running', 'waiting');
create index runs_claimable on runs (wake_at) where status in ('queued', 'waiting') and wake_at is not null;
create index runs_leases on runs (lease_until) where status = 'running';
create index runs_finished on runs (finished_at) where finished_at is not null;
create index runs_workflow on runs (workflow_id, created_at desc, id desc);
create index runs_scope on runs (scope_id, created_at desc, id desc);
create index runs_correlation on runs (correlation_id, created_at desc);
create index runs_event on runs (event_id) where event_id is not null;
-- From a run to those that went on where it failed.
create index runs_retry on runs (retry_of) where retry_of is not null;
-- A node starts one run for each place of its list, however often it is asked.
create unique index runs_parent on runs (parent_run_id, parent_step) where parent_run_id is not null;
-- Lists that look for the few among the many, in the order in which they are shown. Runs that succeeded and those under
-- way need none: the first are found at once by `runs_scope`, the others stand in `runs_active`; so runs that go well
-- cost no more.
create index runs_unsuccessful on runs (scope_id, status, created_at desc, id desc)
  where status in ('failed', 'cancelled', 'timed_out');
create index runs_unsuccessful_of_workflow on runs (workflow_id, status, created_at desc, id desc)
  where status in ('failed', 'cancelled', 'timed_out');
create index runs_deadlines on runs (deadline_at)
  where status in ('queued', 'running', 'waiting') and waiting_since is null;
create index runs_replay on runs (replay_of) where replay_of is not null;
-- Runs whose failure may start another workflow.
create index runs_failed_of_workflow on runs (workflow_id, finished_at)
  where status in ('failed', 'timed_out') and not is_test and parent_run_id is null and trigger_kind <> 'error';
create index runs_ended_of_workflow on runs (workflow_id, finished_at) where finished_at is not null and not is_test;
-- Lists of active runs read only those of their scope: without it, the few waiting runs of a scope are found by reading
-- all of its runs. A run has an entry only until it ends.
create index runs_active on runs (scope_id, status, created_at desc, id desc)
  where status in ('queued', 'running', 'waiting');

-- One row per node and attempt.
create table run_steps (
  id                uuid primary key,
  run_id            uuid not null references runs (id) on delete cascade,
  node_id           text not null,
  attempt           integer not null,
  status            text not null check (status in ('running', 'retrying', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled')),
  input             jsonb,
  output            jsonb,
  -- By which handle the node was left.
  handle            text,
  error             text,
  prompt_tokens     bigint not null default 0,
  completion_tokens bigint not null default 0,
  wake_at           timestamptz,
  started_at        timestamptz not null,
  finished_at       timestamptz,
  cost              numeric(30, 12),
  has_unpriced      boolean not null default false,
  -- Counts the changes of a step, for those who look on and want to read only what is new.
  revision          integer not null default 0,
  -- A run numbers its steps, so that they are listed in the order in which they started. Steps from before have 0 and
  -- come first, in the order of their times.
  number            integer not null default 0,
  -- What a step went on in spite of, such as a placeholder that leads nowhere.
  warnings          text[],
  -- What the code of a step logged.
  logs              text[],
  unique (run_id, node_id, attempt)
);
-- A finished node never runs again: there cannot be two successes of one.
create unique index run_steps_once on run_steps (run_id, node_id) where status in ('succeeded', 'skipped');

-- What waiting runs wait for.
create table run_waits (
  step_id        uuid primary key references run_steps (id) on delete cascade,
  run_id         uuid not null references runs (id) on delete cascade,
  scope_id       uuid not null,
  event_type     text not null,
  correlation_id text,
  filter_expr    text,
  created_at     timestamptz not null,
  -- What came, as the next nodes see it.
  event          jsonb,
  arrived_at     timestamptz,
  -- What the filter of a wait reads of its run's input and state, as they were when the wait began: the filter is
  -- tested where the event is dispatched, on any node. Null where the filter reads neither.
  filter_values  jsonb
);
create index run_waits_type on run_waits (event_type, correlation_id) where arrived_at is null;
create index run_waits_run on run_waits (run_id);

-- An answered approval is evidence: who answered what, when, and what they were shown. Like the audit log it is kept
-- when the run it belonged to is deleted, so it names the workflow itself.
create table approvals (
  step_id          uuid primary key,
  run_id           uuid not null,
  workflow_id      uuid not null,
  scope_id         uuid not null,
  title            text not null,
  message          text not null,
  approvers        uuid[] not null default '{}',
  asked_at         timestamptz not null,
  deadline_at      timestamptz,
  approved         boolean,
  comment          text,
  answered_by      uuid,
  answered_by_name text,
  answered_at      timestamptz,
  workflow_name    text not null default ''
);
create index approvals_run on approvals (run_id);
create index approvals_open on approvals (scope_id, asked_at) where answered_at is null;
create index approvals_answered on approvals (scope_id, answered_at desc) where answered_at is not null;

-- Up to which ended run steps have been let go: runs outlive their steps by months, and are not gone through again. One
-- row.
create table step_retention (
  id         boolean primary key default true check (id),
  through_at timestamptz not null,
  through_id uuid not null
);
insert into step_retention (through_at, through_id) values ('epoch', '00000000-0000-0000-0000-000000000000');

create function waited(since timestamptz, until timestamptz) returns interval language sql immutable
  return coalesce(greatest(until - since, interval '0'), interval '0');

-- The failed runs that were seen to: each starts one run at most.
create table run_errors (
  run_id     uuid primary key references runs (id) on delete cascade,
  handled_at timestamptz not null
);

-- How the runs of each workflow ended, by hour: what its statistics add up. Runs of the last hour are counted as they
-- are.
create table workflow_run_hours (
  workflow_id   uuid not null,
  hour          timestamptz not null,
  -- Of the costs; empty for runs without any.
  currency      text not null,
  succeeded     integer not null,
  failed        integer not null,
  cancelled     integer not null,
  timed_out     integer not null,
  cost          numeric not null,
  -- Succeeded runs by duration: how many in each bucket. A bucket is a tenth longer than the one before.
  durations     jsonb not null,
  -- How long the runs of each bucket took together, so that statistics show a run's own duration instead of the middle
  -- of its bucket. Hours that were folded before have none.
  duration_sums jsonb not null default '{}',
  primary key (workflow_id, hour, currency)
);
create index workflow_run_hours_hour on workflow_run_hours (hour);

-- One row: up to when runs are in `workflow_run_hours`.
create table run_hours_folded (
  only_one boolean primary key default true check (only_one),
  until    timestamptz not null
);

-- What agents asked models and got back, cut to size and without secrets. Deleted with its step.
create table run_model_calls (
  step_id uuid not null references run_steps (id) on delete cascade,
  number  integer not null,
  content json not null,
  primary key (step_id, number)
);

-- How many days an organization keeps answered approvals. Without a row they are kept forever.
create table approval_retention (
  scope_id uuid primary key,
  days     integer not null check (days > 0)
);
