-- What people and platform admins prove themselves with besides a password.
create table factors (
  id uuid primary key,
  principal_kind text not null check (principal_kind in ('user', 'admin')),
  principal_id uuid not null,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  -- An authenticator app: its secret, and the newest time step that was used, since a code counts once.
  sealed_secret text,
  last_step bigint,
  -- A passkey.
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  created_at timestamptz not null,
  -- Null until the first code has been right: before that it proves nothing.
  confirmed_at timestamptz,
  last_used_at timestamptz,
  check ((kind = 'totp') = (sealed_secret is not null)),
  check ((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null))
);
create index factors_principal on factors (principal_id);

create table recovery_codes (
  principal_id uuid not null,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (principal_id, code_hash)
);

-- Browsers that are not asked for a second factor for a while.
create table remembered_browsers (
  token_hash text primary key,
  principal_id uuid not null,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index remembered_browsers_principal on remembered_browsers (principal_id);
create index remembered_browsers_expiry on remembered_browsers (expires_at);

-- Answers of passkeys that have been used, until the question they answered would have expired.
create table used_passkey_challenges (
  challenge_hash text primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expiry on used_passkey_challenges (expires_at);

-- A challenge belongs to a person or to a platform admin, and can be answered in one of several ways.
alter table login_challenges
  alter column user_id drop not null,
  add column admin_id uuid references admin_accounts (id) on delete cascade,
  add column methods text[];
alter table login_challenges add constraint login_challenges_owner check (num_nonnulls(user_id, admin_id) = 1) not valid;
create index login_challenges_admin on login_challenges (admin_id, created_at desc) where admin_id is not null;

alter table sessions
  -- How the sign-in was finished: by password, mailed code, authenticator app, passkey, recovery code, or a provider.
  add column method text,
  -- When the person last proved in this session who they are.
  add column proved_at timestamptz,
  -- The second factor that the session still lacks: until then it may do nothing but add or show one.
  add column needs_factor text check (needs_factor in ('any', 'phishing_resistant'));

alter table organizations
  add column factor_policy text not null default 'none'
    check (factor_policy in ('none', 'any', 'phishing_resistant')),
  -- Until then the policy is only announced; null: at once.
  add column factor_policy_from timestamptz,
  add column remembers_browsers boolean not null default true;

create table admin_password_resets (
  token_hash text primary key,
  admin_id uuid not null references admin_accounts (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index admin_password_resets_admin on admin_password_resets (admin_id);
