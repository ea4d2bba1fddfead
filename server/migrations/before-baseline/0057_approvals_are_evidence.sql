-- An answered approval is evidence: who answered what, when, and what they were shown. Like the audit log it is kept when
-- the run it belonged to is deleted, so it names the workflow itself.
alter table approvals add column workflow_name text not null default '';
update approvals a set workflow_name = r.workflow_name from runs r where r.id = a.run_id;
alter table approvals drop constraint approvals_step_id_fkey, drop constraint approvals_run_id_fkey;
