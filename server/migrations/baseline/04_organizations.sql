-- Teams: who is invited, how a company is divided, and which email domains are its own.
create table organizations (
  id                      uuid primary key,
  name                    text not null,
  code                    text not null,
  auth_provider           text not null default 'NATIVE' check (auth_provider in ('NATIVE', 'SSO')),
  login_otp               boolean not null default false,
  plan                    text not null,
  trial_ends_at           timestamptz,
  max_members             integer not null,
  max_documents_per_month integer not null,
  max_storage_bytes       bigint not null,
  created_at              timestamptz not null,
  -- False cuts off everybody of the organization. Nothing is deleted.
  active                  boolean not null default true,
  -- Public links to shared chats. Each organization decides whether its people may make them.
  public_chat_links       boolean not null default false,
  constraint organizations_limits check (max_members >= 1 and max_documents_per_month >= 0 and max_storage_bytes >= 0)
);
create unique index organizations_code on organizations (code);
alter table users add foreign key (organization_id) references organizations (id);

-- An organization may claim any email domain; it is theirs once a TXT record proves it or the platform's operators say
-- so. Only a verified domain decides who signs in where, and only one organization can have it.
create table organization_domains (
  domain          text check (domain = lower(domain)),
  organization_id uuid not null references organizations (id) on delete cascade,
  created_at      timestamptz not null,
  verified_at     timestamptz,
  txt_token       text,
  primary key (organization_id, domain)
);
create unique index organization_domains_verified on organization_domains (domain) where verified_at is not null;

-- An open invitation. It is deleted when it is accepted or withdrawn; the audit log remembers it.
create table invitations (
  id                uuid primary key,
  organization_id   uuid not null references organizations (id) on delete cascade,
  email             text not null,
  name              text,
  role              text not null check (role in ('ROLE_USER', 'ROLE_ORG_ADMIN')),
  -- Null where the person enters through the company's own login and no link is needed.
  token_hash        text,
  mail_sent         boolean not null,
  invited_by        uuid not null,
  created_at        timestamptz not null,
  expires_at        timestamptz not null,
  -- The invitation email, to know whether it went out, and the link that was copied last, where it couldn't. A copied
  -- link proves no address.
  mail_id           uuid,
  copied_token_hash text
);
create unique index invitations_address on invitations (organization_id, email);
create unique index invitations_token on invitations (token_hash) where token_hash is not null;
create unique index invitations_copied_token on invitations (copied_token_hash) where copied_token_hash is not null;

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
