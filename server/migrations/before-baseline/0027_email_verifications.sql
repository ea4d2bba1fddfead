-- Links that prove an email address: single use, three days, kept as a hash.
create table email_verifications (
  token_hash text primary key,
  user_id    uuid not null references users (id) on delete cascade,
  -- The address it was sent to: a link proves no other.
  email      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index email_verifications_user on email_verifications (user_id);
