-- An organization's own places to sign in.
create table identity_providers (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  kind text not null check (kind in ('oidc')),
  name text not null,
  enabled boolean not null,
  -- Only addresses of these sign in there, and only while the organization has them verified.
  domains text[] not null,
  -- Whether newcomers become members without an invitation.
  creates_people boolean not null,
  settings jsonb not null,
  mapping jsonb not null,
  sealed_secret text,
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index identity_providers_organization on identity_providers (organization_id);

-- Sign-ins that were finished, until they would have expired: each counts once.
create table identity_provider_logins (
  fingerprint text primary key,
  expires_at timestamptz not null
);
create index identity_provider_logins_expiry on identity_provider_logins (expires_at);
