-- Workflows, their review, their versions, what starts them, and their runs.

create table spaces (
  id          uuid primary key,
  scope_id    uuid not null,
  name        text not null,
  description text not null default '',
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index spaces_scope on spaces (scope_id);
create table space_members (
  space_id uuid not null references spaces (id) on delete cascade,
  user_id  uuid not null references users (id) on delete cascade,
  primary key (space_id, user_id)
);

create table catalogs (
  id          uuid primary key,
  scope_id    uuid not null,
  name        text not null,
  description text not null default '',
  -- Without keys; those are sealed beside, by place in the list.
  entries     jsonb not null default '[]',
  sealed_keys jsonb not null default '[]',
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);
create index catalogs_scope on catalogs (scope_id);

create table workflows (
  id              uuid primary key,
  scope_id        uuid not null,
  name            text not null,
  description     text not null default '',
  status          text not null default 'Draft' check (status in ('Draft', 'Staged', 'Published')),
  graph           jsonb not null,
  graph_hash      text not null,
  -- The last published snapshot. It stays where it is on a rollback.
  live_version_id uuid,
  -- Whether that snapshot may be started: an edit leaves it so, a rollback ends it until the next publication.
  is_live         boolean not null default false,
  -- The last version number given out.
  last_version    integer not null default 0,
  space_id        uuid references spaces (id) on delete set null,
  author_id       uuid not null,
  author_name     text not null,
  review_notes    text,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  check (not is_live or live_version_id is not null)
);
create index workflows_scope on workflows (scope_id, updated_at desc);

-- Graphs by their content: a thousand snapshots of an unchanged graph cost one row here.
create table workflow_graphs (
  workflow_id uuid not null references workflows (id) on delete cascade,
  hash        text not null,
  graph       jsonb not null,
  primary key (workflow_id, hash)
);

create table workflow_versions (
  id          uuid primary key,
  workflow_id uuid not null references workflows (id) on delete cascade,
  version     integer not null,
  type        text not null check (type in ('Published', 'Manual')),
  graph_hash  text not null,
  author_id   uuid not null,
  author_name text not null,
  notes       text not null default '',
  created_at  timestamptz not null,
  unique (workflow_id, version),
  foreign key (workflow_id, graph_hash) references workflow_graphs (workflow_id, hash)
);
alter table workflows add foreign key (live_version_id) references workflow_versions (id) deferrable initially deferred;

-- A snapshot never changes, and goes only together with its workflow.
create function refuse_snapshot_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from workflows where id = old.workflow_id) then
    return old;
  end if;
  raise exception 'snapshots are immutable' using errcode = 'restrict_violation';
end $$;
create trigger workflow_versions_immutable before update or delete on workflow_versions
  for each row execute function refuse_snapshot_change();
create trigger workflow_graphs_immutable before update or delete on workflow_graphs
  for each row execute function refuse_snapshot_change();
create function refuse_snapshot_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'snapshots are immutable' using errcode = 'restrict_violation';
end $$;
create trigger workflow_versions_kept before truncate on workflow_versions
  for each statement execute function refuse_snapshot_truncate();
create trigger workflow_graphs_kept before truncate on workflow_graphs
  for each statement execute function refuse_snapshot_truncate();

-- Event subscriptions stand with the bus; these are the other two kinds.
create table cron_triggers (
  id          uuid primary key,
  workflow_id uuid not null references workflows (id) on delete cascade,
  scope_id    uuid not null,
  name        text not null,
  cron        text not null,
  timezone    text not null,
  input       jsonb,
  misfire     text not null default 'fire_once' check (misfire in ('fire_once', 'skip', 'fire_all')),
  catalog_id  uuid,
  space_id    uuid,
  enabled     boolean not null default true,
  -- Null while disabled.
  next_at     timestamptz,
  created_at  timestamptz not null
);
create index cron_triggers_due on cron_triggers (next_at) where next_at is not null;
create index cron_triggers_workflow on cron_triggers (workflow_id);
-- Each due time fires once, on however many nodes.
create table cron_fires (
  trigger_id uuid not null references cron_triggers (id) on delete cascade,
  due_at     timestamptz not null,
  run_id     uuid,
  fired_at   timestamptz not null,
  primary key (trigger_id, due_at)
);

create table webhook_triggers (
  id             uuid primary key,
  workflow_id    uuid not null references workflows (id) on delete cascade,
  scope_id       uuid not null,
  name           text not null,
  event_type     text not null,
  scheme         text not null default 'standard' check (scheme in ('standard', 'github')),
  token_hash     bytea not null unique,
  -- For showing the address again; the token alone opens nothing without a signature.
  sealed_token   text not null,
  sealed_secret  text not null,
  sealed_old_secret text,
  old_secret_ends_at timestamptz,
  -- The subscription by which the workflow hears its own webhook.
  subscription_id uuid,
  catalog_id     uuid,
  space_id       uuid,
  enabled        boolean not null default true,
  created_at     timestamptz not null
);
create index webhook_triggers_workflow on webhook_triggers (workflow_id);

create table runs (
  id             uuid primary key,
  workflow_id    uuid not null,
  workflow_name  text not null,
  version_id     uuid not null,
  version        integer not null,
  graph_hash     text not null,
  scope_id       uuid not null,
  status         text not null check (status in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'timed_out')),
  trigger_kind   text not null check (trigger_kind in ('manual', 'cron', 'webhook', 'event', 'subworkflow')),
  trigger_id     uuid,
  event_id       uuid,
  -- Null: the run has no key and runs beside any other.
  correlation_id text,
  is_one_per_correlation boolean not null default false,
  -- On whose behalf models and tools are called.
  user_id        uuid,
  catalog_id     uuid,
  space_id       uuid,
  parent_run_id  uuid,
  -- The node that started it, with the item's number inside a for_each.
  parent_step    text,
  -- The first run, where this one goes on from where that failed.
  retry_of       uuid,
  hop            integer not null default 0,
  chain          uuid[] not null default '{}',
  root_event_id  uuid,
  -- What the first node sees; `_event` in it for runs that an event started.
  input          jsonb not null,
  output         jsonb,
  error          text,
  prompt_tokens  bigint not null default 0,
  completion_tokens bigint not null default 0,
  -- Whoever writes must hold the epoch: a worker that lost its lease changes nothing any more.
  epoch          integer not null default 0,
  lease_node     uuid,
  lease_until    timestamptz,
  -- When a waiting or queued run wants to be looked at next; null waits for an event or an answer.
  wake_at        timestamptz,
  -- Counts what came for the run: whoever lays it down must have seen all of it.
  nudges         integer not null default 0,
  deadline_at    timestamptz not null,
  created_at     timestamptz not null,
  started_at     timestamptz,
  finished_at    timestamptz
);
create unique index runs_one_per_correlation on runs (workflow_id, correlation_id)
  where is_one_per_correlation and correlation_id is not null and status in ('queued', 'running', 'waiting');
create index runs_claimable on runs (wake_at) where status in ('queued', 'waiting') and wake_at is not null;
create index runs_leases on runs (lease_until) where status = 'running';
create index runs_deadlines on runs (deadline_at) where status in ('queued', 'running', 'waiting');
create index runs_finished on runs (finished_at) where finished_at is not null;
create index runs_workflow on runs (workflow_id, created_at desc, id desc);
create index runs_scope on runs (scope_id, created_at desc, id desc);
create index runs_correlation on runs (correlation_id, created_at desc);
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_event on runs (event_id) where event_id is not null;

-- One row per node and attempt.
create table run_steps (
  id             uuid primary key,
  run_id         uuid not null references runs (id) on delete cascade,
  node_id        text not null,
  attempt        integer not null,
  status         text not null check (status in ('running', 'retrying', 'waiting', 'succeeded', 'failed', 'skipped', 'cancelled')),
  input          jsonb,
  output         jsonb,
  -- By which handle the node was left.
  handle         text,
  error          text,
  prompt_tokens  bigint not null default 0,
  completion_tokens bigint not null default 0,
  wake_at        timestamptz,
  started_at     timestamptz not null,
  finished_at    timestamptz,
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
  arrived_at     timestamptz
);
create index run_waits_type on run_waits (event_type, correlation_id) where arrived_at is null;
create index run_waits_run on run_waits (run_id);

create table approvals (
  step_id     uuid primary key references run_steps (id) on delete cascade,
  run_id      uuid not null references runs (id) on delete cascade,
  workflow_id uuid not null,
  scope_id    uuid not null,
  title       text not null,
  message     text not null,
  approvers   uuid[] not null default '{}',
  asked_at    timestamptz not null,
  deadline_at timestamptz,
  approved    boolean,
  comment     text,
  answered_by uuid,
  answered_by_name text,
  answered_at timestamptz
);
create index approvals_run on approvals (run_id);
create index approvals_open on approvals (scope_id, asked_at) where answered_at is null;
