-- What models cost, and what runs have cost. Exact, since many small amounts are added up: a token costs 10⁻¹² of a unit or
-- a multiple of that. Kept as it was at the time of the call: a price that changes later changes no run.
alter table connections add column prices jsonb not null default '{}';
alter table runs
  add column cost         numeric(30, 12),
  -- Of the cost; null with it.
  add column currency     text,
  -- Whether a model was called that had no price.
  add column has_unpriced boolean not null default false;
alter table run_steps
  add column cost         numeric(30, 12),
  add column has_unpriced boolean not null default false,
  -- Counts the changes of a step, for those who look on and want to read only what is new.
  add column revision     integer not null default 0;

-- What a caller named a run that they started by hand: the same name again within a day is the same run.
create table run_keys (
  user_id     uuid not null,
  workflow_id uuid not null,
  key         text not null,
  run_id      uuid not null,
  expires_at  timestamptz not null,
  primary key (user_id, workflow_id, key)
);
create index run_keys_expiry on run_keys (expires_at);
