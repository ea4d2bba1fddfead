-- What an OAuth provider handed out for a login here: its tokens, sealed. The cookie holds the other half of the hash.
create table oauth_sessions (
  token_hash    text primary key,
  user_id       uuid not null references users (id) on delete cascade,
  session_id    uuid not null references sessions (id) on delete cascade,
  provider      text not null,
  sealed_tokens text not null,
  expires_at    timestamptz,
  created_at    timestamptz not null
);
create index oauth_sessions_user on oauth_sessions (user_id, provider, created_at);
create index oauth_sessions_session on oauth_sessions (session_id);

-- Begun logins that have been finished: none is finished twice, though the browser kept its cookie.
create table oauth_used_states (
  state_hash text primary key,
  expires_at timestamptz not null
);
create index oauth_used_states_expiry on oauth_used_states (expires_at);
