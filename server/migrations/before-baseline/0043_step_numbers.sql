-- A run numbers its steps, so that they are listed in the order in which they started. Steps from before have 0 and come
-- first, in the order of their times.
alter table run_steps add column number integer not null default 0;

-- The version that a rollback restored, on the Manual version that saved the graph it replaced.
alter table workflow_versions add column rolled_back_to integer;
