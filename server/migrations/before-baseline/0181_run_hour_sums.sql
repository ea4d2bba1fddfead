-- How long the runs of each bucket took together, so that statistics show a run's own duration instead of the middle of its
-- bucket. Hours that were folded before have none.
alter table workflow_run_hours add column duration_sums jsonb not null default '{}';
