-- Runs are claimed in turns by tenant; a run that ends ends all it started; one that ends its node is held back.

alter table runs
  -- The run at the top of the tree that this one belongs to; null for that run itself.
  add column root_run_id uuid,
  -- Of a run at the top: how many runs were started below it.
  add column descendants integer not null default 0,
  -- How often it was claimed since it last made progress.
  add column claims integer not null default 0,
  -- Since when it is held back, because it ended the nodes that claimed it. It waits until somebody releases it.
  add column held_at timestamptz,
  -- It has ended, and its active children are still to be ended.
  add column ends_children boolean not null default false;

-- One tenant after the other, and the oldest run of each, however many another one has.
create index runs_turns on runs (scope_id, wake_at) where status in ('queued', 'waiting') and wake_at is not null;
create index runs_ending on runs (id) where ends_children;

-- The trees of runs that are under way.
with recursive tree as (
  select id, id as root_id from runs where parent_run_id is null and status in ('queued', 'running', 'waiting')
  union all
  select child.id, tree.root_id from runs child join tree on child.parent_run_id = tree.id
), counted as (
  select root_id, count(*) - 1 as below from tree group by root_id
)
update runs r set
  root_run_id = nullif(tree.root_id, r.id),
  descendants = case when tree.root_id = r.id then counted.below else 0 end
from tree join counted using (root_id)
where r.id = tree.id and counted.below > 0;

-- Runs whose parent ended before they were started, in earlier releases.
update runs p set ends_children = true
where p.status not in ('queued', 'running', 'waiting') and exists (
  select from runs c where c.parent_run_id = p.id and c.status in ('queued', 'running', 'waiting'));
