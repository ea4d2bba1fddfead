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
  updated_at  timestamptz not null,
  -- What models cost. Exact, since many small amounts are added up: a token costs 10⁻¹² of a unit or
  -- a multiple of that. Kept as it was at the time of the call: a price that changes later changes no run.
  prices      jsonb not null default '{}'
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

-- The model that new chats start with, and the models on top of the list: for everybody, an organization or a person.
create table model_defaults (
  -- The person, the organization, or the nil UUID for everybody.
  owner_id        uuid primary key,
  user_id         uuid references users (id) on delete cascade,
  organization_id uuid references organizations (id) on delete cascade,
  default_model   text,
  pinned          jsonb not null,
  updated_at      timestamptz not null
);
create index model_defaults_user on model_defaults (user_id) where user_id is not null;
create index model_defaults_organization on model_defaults (organization_id) where organization_id is not null;

-- For nodes of earlier releases while the nodes are upgraded one after another.
create view model_changes as select true as only_row, changes as number from shared_copies where topic = 'models';
