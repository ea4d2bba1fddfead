-- Sign-ins of devices without a browser: what they asked for and what the person decided, for ten minutes.
create table device_sign_ins (
  device_hash text primary key,
  -- The code is short, so a hash of it could be tried out.
  user_code_mac text not null unique,
  name text not null,
  ip text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whoever decided, and with which credential: the key is made only while that is still good.
  user_id uuid references users (id) on delete cascade,
  credential_kind text check (credential_kind in ('session', 'key')),
  credential_id uuid,
  is_allowed boolean
);
create index device_sign_ins_expiry on device_sign_ins (expires_at);
create index device_sign_ins_user on device_sign_ins (user_id);
