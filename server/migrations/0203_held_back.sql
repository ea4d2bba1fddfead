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
