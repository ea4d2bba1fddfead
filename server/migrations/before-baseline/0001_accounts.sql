-- People, how they sign in, and what they did. Platform operators live in a table of their own.

create table organizations (
  id            uuid primary key,
  name          text not null,
  code          text not null,
  auth_provider text not null default 'NATIVE' check (auth_provider in ('NATIVE', 'SSO')),
  login_otp     boolean not null default false,
  plan          text not null,
  trial_ends_at timestamptz,
  max_members            integer not null,
  max_documents_per_month integer not null,
  max_storage_bytes      bigint not null,
  created_at    timestamptz not null
);
create unique index organizations_code on organizations (code);

create table users (
  id              uuid primary key,
  name            text not null,
  email           text not null,
  password_hash   text,
  role            text not null check (role in ('ROLE_USER', 'ROLE_ORG_ADMIN')),
  organization_id uuid references organizations (id),
  status          text not null default 'ACTIVE' check (status in ('ACTIVE', 'DEACTIVATED')),
  login_otp       boolean not null default false,
  last_login_at   timestamptz,
  created_at      timestamptz not null
);
create unique index users_email on users (email);
create index users_organization on users (organization_id, created_at) where organization_id is not null;
create index users_created on users (created_at desc, id desc);

create table admin_accounts (
  id            uuid primary key,
  name          text not null,
  email         text not null,
  password_hash text not null,
  active        boolean not null default true,
  last_login_at timestamptz,
  created_at    timestamptz not null
);
create unique index admin_accounts_email on admin_accounts (email);

-- Holds at most one row: whoever inserts it makes the first platform admin.
create table admin_setup (
  only_row boolean primary key default true check (only_row),
  done_at  timestamptz not null
);

-- One row per login. Its id is the token's jti; a revoked row ends the token everywhere.
create table sessions (
  id             uuid primary key,
  principal_kind text not null check (principal_kind in ('user', 'admin')),
  principal_id   uuid not null,
  ip             text,
  user_agent     text,
  created_at     timestamptz not null,
  last_used_at   timestamptz not null,
  expires_at     timestamptz,
  revoked_at     timestamptz
);
create index sessions_principal on sessions (principal_id, created_at desc) where revoked_at is null;
create index sessions_expiry on sessions (expires_at);

create table api_keys (
  id             uuid primary key,
  principal_kind text not null check (principal_kind in ('user', 'admin')),
  principal_id   uuid not null,
  name           text not null,
  prefix         text not null,
  key_hash       text not null,
  allowed_routes text[],
  created_at     timestamptz not null,
  last_used_at   timestamptz,
  expires_at     timestamptz,
  revoked_at     timestamptz
);
create unique index api_keys_hash on api_keys (key_hash);
create index api_keys_principal on api_keys (principal_id, created_at desc) where revoked_at is null;

-- The second step of a login. The failure count belongs to the challenge and outlives every new code.
create table login_challenges (
  id           uuid primary key,
  user_id      uuid not null references users (id) on delete cascade,
  code_mac     text not null,
  failures     integer not null default 0,
  code_sent_at timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  created_at   timestamptz not null
);
create index login_challenges_user on login_challenges (user_id, created_at desc);

create table password_resets (
  token_hash text primary key,
  user_id    uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

-- Failed logins, counted per account and address together, per account and per address. Survives restarts.
create table login_failures (
  bucket          text primary key,
  failures        integer not null,
  first_failed_at timestamptz not null,
  last_failed_at  timestamptz not null
);
create index login_failures_age on login_failures (last_failed_at);

create table audit_log (
  id              uuid primary key,
  at              timestamptz not null,
  action          text not null,
  actor_kind      text not null,
  actor_id        uuid,
  actor_name      text,
  target_kind     text,
  target_id       text,
  organization_id uuid,
  ip              text,
  user_agent      text,
  request_id      text,
  detail          jsonb not null default '{}'
);
create index audit_log_time on audit_log (at desc, id desc);
create index audit_log_organization on audit_log (organization_id, at desc) where organization_id is not null;
create index audit_log_actor on audit_log (actor_id, at desc) where actor_id is not null;
