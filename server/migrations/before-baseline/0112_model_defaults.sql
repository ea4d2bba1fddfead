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
