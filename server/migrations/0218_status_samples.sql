-- What the servers counted, for the status page: a row for each process and minute, which a job adds up to ten minutes and
-- to hours. The row without a process (the nil UUID) is of the whole instance: what one process read in the database that
-- minute, and all periods.
create table status_samples (
  step_sec integer not null check (step_sec in (60, 600, 3600)),
  at       timestamptz not null,
  node_id  uuid not null,
  -- In which anything was counted; 0 in the rows of processes, so that a minute counts once.
  minutes  integer not null,
  -- By name: what is added up.
  counts   jsonb not null,
  -- By name: what the largest value stands for.
  levels   jsonb not null,
  primary key (step_sec, at, node_id)
);
