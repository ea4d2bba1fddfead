-- What the code of a step logged.
alter table run_steps add column logs text[];
