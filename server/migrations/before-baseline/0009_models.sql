-- Where models live, what administrators and people say about them, and who may use what.

create table connections (
  id          uuid primary key,
  type        text not null check (type in ('upstream', 'compat')),
  name        text not null,
  url         text not null,
  sealed_key  text,
  prefix_id   text,
  model_ids   jsonb,
  tags        jsonb not null default '[]',
  enabled     boolean not null default true,
  timeout_sec integer,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);

-- With a base: a model of its own. Without: what an administrator says about a connection's model of that id.
create table models (
  id            text primary key,
  base_model_id text,
  name          text not null,
  params        jsonb not null default '{}',
  meta          jsonb not null default '{}',
  owner_kind    text not null check (owner_kind in ('user', 'admin')),
  owner_id      uuid not null,
  -- False: open to every signed-in user. True: to its owner, administrators and whom access_grants names.
  is_restricted boolean not null,
  is_active     boolean not null default true,
  created_at    timestamptz not null,
  updated_at    timestamptz not null
);
create index models_owner on models (owner_id, created_at);

-- Counts every change to the two tables above and to grants on models: a node that missed a signal sees it here.
create table model_changes (
  only_row boolean primary key default true check (only_row),
  number   bigint not null
);
insert into model_changes (number) values (0);

-- Shared by every kind of thing that can be granted; a thing without rows is its owner's alone.
create table access_grants (
  resource_type  text not null,
  resource_id    text not null,
  principal_type text not null check (principal_type in ('user', 'group', 'organization')),
  principal_id   uuid not null,
  permission     text not null check (permission in ('read', 'write')),
  created_at     timestamptz not null,
  primary key (resource_type, resource_id, principal_type, principal_id, permission)
);
create index access_grants_principal on access_grants (principal_type, principal_id, resource_type);
