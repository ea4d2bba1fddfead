-- The workflow that is started when a run of this one fails, and since when.
alter table workflows
  add column error_workflow_id uuid references workflows (id) on delete set null,
  add column error_workflow_since timestamptz;
create index workflows_error_workflow on workflows (error_workflow_id) where error_workflow_id is not null;

alter table runs
  drop constraint runs_trigger_kind_check,
  add constraint runs_trigger_kind_check
    check (trigger_kind in ('manual', 'cron', 'webhook', 'event', 'subworkflow', 'error'));

-- Runs whose failure may start another workflow.
create index runs_failed_of_workflow on runs (workflow_id, finished_at)
  where status in ('failed', 'timed_out') and not is_test and parent_run_id is null and trigger_kind <> 'error';

-- The failed runs that were seen to: each starts one run at most.
create table run_errors (
  run_id     uuid primary key references runs (id) on delete cascade,
  handled_at timestamptz not null
);
