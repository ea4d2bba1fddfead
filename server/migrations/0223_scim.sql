-- People and groups that an organization's directory sends.
create table scim_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  -- Two at a time, so that one can be replaced by the other.
  slot smallint not null check (slot in (1, 2)),
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  unique (organization_id, slot)
);

create table scim_people (
  user_id uuid primary key references users (id) on delete cascade,
  organization_id uuid not null references organizations (id) on delete cascade,
  external_id text,
  -- Null where it is the account's email.
  user_name text,
  given_name text,
  family_name text,
  changed_at timestamptz not null,
  -- The directory has deactivated them, and nobody else has since: it may let them in again.
  suspended_at timestamptz,
  -- The directory has deleted them: to it they no longer exist.
  removed_at timestamptz
);
create unique index scim_people_user_name on scim_people (organization_id, user_name);
create index scim_people_external_id on scim_people (organization_id, external_id);
create index scim_people_suspended on scim_people (organization_id, suspended_at) where suspended_at is not null;

create table scim_groups (
  unit_id uuid primary key references units (id) on delete cascade,
  organization_id uuid not null references organizations (id) on delete cascade,
  external_id text,
  changed_at timestamptz not null
);
create index scim_groups_organization on scim_groups (organization_id);

create table scim_settings (
  organization_id uuid primary key references organizations (id) on delete cascade,
  -- Its members are administrators.
  admin_group_id uuid references units (id) on delete set null,
  -- Since then the directory wants to deactivate more people than it may without somebody's consent.
  held_at timestamptz,
  -- Until then it may.
  allowed_until timestamptz,
  -- The last request that was refused, for whoever sets it up.
  refused_at timestamptz,
  refused_call text,
  refusal text
);
create index scim_settings_admin_group on scim_settings (admin_group_id) where admin_group_id is not null;

-- Administrators by their group. Who leaves it stops being one.
create table scim_admins (
  user_id uuid primary key references users (id) on delete cascade,
  organization_id uuid not null references organizations (id) on delete cascade,
  granted_at timestamptz not null
);
create index scim_admins_organization on scim_admins (organization_id);
