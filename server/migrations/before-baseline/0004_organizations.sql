-- Teams: who is invited, how a company is divided, and which mail domains are its own.

-- False cuts off everybody of the organization. Nothing is deleted.
alter table organizations add column active boolean not null default true;
alter table organizations
  add constraint organizations_limits check (max_members >= 1 and max_documents_per_month >= 0 and max_storage_bytes >= 0);

-- A mail domain belongs to one organization; the platform's admins enter it once it is verified.
create table organization_domains (
  domain          text primary key check (domain = lower(domain)),
  organization_id uuid not null references organizations (id) on delete cascade,
  created_at      timestamptz not null
);
create index organization_domains_organization on organization_domains (organization_id);

-- An open invitation. It is deleted when it is accepted or withdrawn; the audit log remembers it.
create table invitations (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  email           text not null,
  name            text,
  role            text not null check (role in ('ROLE_USER', 'ROLE_ORG_ADMIN')),
  -- Null where the person enters through the company's own login and no link is needed.
  token_hash      text,
  mail_sent       boolean not null,
  invited_by      uuid not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
create unique index invitations_address on invitations (organization_id, email);
create unique index invitations_token on invitations (token_hash) where token_hash is not null;

-- Groups and departments have the same shape and the same rules.
create table units (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  kind            text not null check (kind in ('group', 'department')),
  name            text not null check (name <> ''),
  -- The name without regard to case. Made by the server, since what lower() does depends on the database's locale.
  name_key        text not null,
  created_at      timestamptz not null
);
create unique index units_name on units (organization_id, kind, name_key);

create table unit_members (
  unit_id uuid not null references units (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (unit_id, user_id)
);
create index unit_members_user on unit_members (user_id);
