-- A node starts one run for each place of its list, however often it is asked.
drop index runs_parent;
create unique index runs_parent on runs (parent_run_id, parent_step) where parent_run_id is not null;
