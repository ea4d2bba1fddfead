-- People. Platform operators have a table of their own.
create table users (
  id              uuid primary key,
  name            text not null,
  email           text not null,
  password_hash   text,
  role            text not null check (role in ('ROLE_USER', 'ROLE_ORG_ADMIN')),
  organization_id uuid,
  login_otp       boolean not null default false,
  last_login_at   timestamptz,
  created_at      timestamptz not null,
  -- When a person showed that mail to their address reaches them: by a code, a reset link, an invitation or another
  -- login.
  email_proven_at timestamptz,
  -- A ban by the platform and a deactivation by the organization are two facts, each lifted only by those who set it.
  -- The status that everything else reads follows from them, and from an address that was released.
  deactivated_at  timestamptz,
  banned_at       timestamptz,
  closed_at       timestamptz,
  -- The address an account had before somebody else proved that it is theirs.
  former_email    text,
  status          text not null generated always as (
    case when deactivated_at is null and banned_at is null and closed_at is null then 'ACTIVE' else 'DEACTIVATED' end
  ) stored
);
create unique index users_email on users (email);
create index users_organization on users (organization_id, created_at) where organization_id is not null;
create index users_created on users (created_at desc, id desc);
create index users_closed on users (closed_at) where closed_at is not null;
-- For the nightly search for unproven accounts that nobody used.
create index users_unproven on users (created_at) where email_proven_at is null and closed_at is null;

-- One row per login. Its id is the token's jti; a revoked row ends the token everywhere.
create table sessions (
  id                  uuid primary key,
  principal_kind      text not null check (principal_kind in ('user', 'admin')),
  principal_id        uuid not null,
  ip                  text,
  user_agent          text,
  created_at          timestamptz not null,
  last_used_at        timestamptz not null,
  expires_at          timestamptz,
  revoked_at          timestamptz,
  -- Which login of the other side a session belongs to, so that a logout there ends it here.
  issuer              text,
  external_session_id text
);
create index sessions_principal on sessions (principal_id, created_at desc) where revoked_at is null;
create index sessions_expiry on sessions (expires_at);
create index sessions_external on sessions (issuer, external_session_id) where external_session_id is not null;
-- For deleting a person's sessions.
create index sessions_by_principal on sessions (principal_id);

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
  revoked_at     timestamptz,
  -- A key that was made with another key ends together with it.
  parent_id      uuid references api_keys (id)
);
create unique index api_keys_hash on api_keys (key_hash);
create index api_keys_principal on api_keys (principal_id, created_at desc) where revoked_at is null;
create index api_keys_parent on api_keys (parent_id) where parent_id is not null;

-- The second step of a login. The failure count belongs to the challenge and outlives every new code.
create table login_challenges (
  id           uuid primary key,
  user_id      uuid not null references users (id) on delete cascade,
  code_mac     text not null,
  failures     integer not null default 0,
  code_sent_at timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  created_at   timestamptz not null,
  mail_id      uuid
);
create index login_challenges_user on login_challenges (user_id, created_at desc);

create table password_resets (
  token_hash text primary key,
  user_id    uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null,
  mail_id    uuid
);
create index password_resets_user on password_resets (user_id);

-- Failed logins, counted per account and address together, per account and per address. Survives restarts.
create table login_failures (
  bucket          text primary key,
  failures        integer not null,
  first_failed_at timestamptz not null,
  last_failed_at  timestamptz not null,
  -- Whose failures in a row these are: such a count ends with a success, not with time. Null for unknown addresses.
  principal_id    uuid
);
create index login_failures_age on login_failures (last_failed_at);
create index login_failures_principal on login_failures (principal_id) where principal_id is not null;

-- Who a person is at another login (identity provider, OAuth provider, company directory).
create table user_identities (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

-- Links that prove an email address: single use, three days, kept as a hash.
create table email_verifications (
  token_hash text primary key,
  user_id    uuid not null references users (id) on delete cascade,
  -- The address it was sent to: a link proves no other.
  email      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  mail_id    uuid
);
create index email_verifications_user on email_verifications (user_id);
