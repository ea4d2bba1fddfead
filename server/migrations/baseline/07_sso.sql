-- Company login: what may be used only once, who was provisioned at the provider, and what each pass of the sync found.

-- Begun logins and logout tokens that have been used. Kept until they would have expired anyway.
create table sso_used (
  fingerprint text primary key,
  expires_at  timestamptz not null
);
create index sso_used_expiry on sso_used (expires_at);

-- People we created at the provider before they ever signed in: whose they are when they come.
create table sso_provisioned (
  issuer          text not null,
  subject         text not null,
  organization_id uuid not null references organizations (id) on delete cascade,
  created_at      timestamptz not null,
  primary key (issuer, subject)
);

-- People whom a pass of the sync deactivated. Only they are let in again by a later one.
create table sso_suspensions (
  user_id      uuid primary key references users (id) on delete cascade,
  suspended_at timestamptz not null
);

-- Changes on their way to the provider. Until one has arrived, what the provider says about that person is old news.
create table sso_pushes (
  user_id    uuid primary key references users (id) on delete cascade,
  changed_at timestamptz not null,
  pushed_at  timestamptz
);

create table sso_sync_reports (
  id              uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  dry_run         boolean not null,
  started_at      timestamptz not null,
  finished_at     timestamptz,
  outcome         text not null check (outcome in ('running', 'done', 'refused', 'failed')),
  detail          text not null,
  added           integer not null default 0,
  updated         integer not null default 0,
  deactivated     integer not null default 0,
  seen            integer not null default 0
);
create index sso_sync_reports_organization on sso_sync_reports (organization_id, started_at desc);
