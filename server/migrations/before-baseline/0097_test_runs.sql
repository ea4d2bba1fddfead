-- Runs of a draft, to try it. They belong to no version: version_id is the nil id, and version 0.
alter table runs
  add column is_test boolean not null default false,
  -- Nodes that reach other systems or people are not run.
  add column is_dry boolean not null default false;
