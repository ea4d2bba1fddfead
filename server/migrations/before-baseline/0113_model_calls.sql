-- What agents asked models and got back, cut to size and without secrets. Deleted with its step.
create table run_model_calls (
  step_id uuid not null references run_steps (id) on delete cascade,
  number  integer not null,
  content json not null,
  primary key (step_id, number)
);
-- How many characters of it a run has, so that it can't grow without limit.
alter table runs add column trace_size integer not null default 0;
