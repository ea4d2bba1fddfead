-- Work that ended the server several times while it was under way: it isn't tried again until somebody releases it.
create table held_back (
  kind     text not null,
  id       text not null,
  -- The organization or person whose work it is; null where it is the instance's.
  scope_id uuid,
  reason   text not null,
  -- How often it was begun without getting anywhere.
  claims   integer not null,
  what     text not null,
  since    timestamptz not null,
  primary key (kind, id)
);
create index held_back_since on held_back (since desc, kind, id);

-- Jobs whose server ended while they ran, by their content: a sweep that enqueues the same work anew begins no new
-- count. A row goes when an attempt ends by itself, and when held work is released or deleted.
create table job_deaths (
  job           text not null,
  digest        text not null,
  data          jsonb not null,
  singleton_key text,
  deaths        integer not null,
  -- Jobs of this work that wait for their turn: these aren't to blame when the server ends.
  waiting       uuid[] not null default '{}',
  primary key (job, digest)
);
