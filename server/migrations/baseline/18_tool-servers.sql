-- OpenAPI and MCP servers whose tools models may call.
create table tool_servers (
  id              text primary key,
  type            text not null check (type in ('openapi', 'mcp')),
  name            text not null,
  url             text not null,
  path            text not null,
  auth_type       text not null check (auth_type in ('none', 'bearer', 'oauth_2.1')),
  sealed_key      text,
  headers         jsonb not null default '{}',
  enabled         boolean not null,
  -- False: open to every signed-in user. True: to administrators and whom access_grants names.
  is_restricted   boolean not null,
  position        integer not null,
  updated_at      timestamptz not null,
  -- Whether its tools run only after a person approves.
  needs_approval  boolean not null default false,
  -- Functions that run without asking, although the others of their server ask.
  approval_exempt text[] not null default '{}',
  -- The values of headers can be keys, so they are stored encrypted. What is in `headers` is sealed when the next
  -- server starts; nothing else writes that column.
  sealed_headers  text
);

-- One person's access to one server. Without a reference to tool_servers: the list of servers is replaced as a whole.
create table tool_server_tokens (
  server_id        text not null,
  user_id          uuid not null references users (id) on delete cascade,
  -- The server that the tokens are for. Pointed elsewhere, a server doesn't get them.
  url              text not null,
  -- The registered client and the tokens.
  sealed           text not null,
  expires_at       timestamptz,
  updated_at       timestamptz not null,
  -- Until when somebody refreshes a person's tokens. A refresh token may count once only, and the server that refreshes
  -- it may be slow: nothing is locked meanwhile.
  refreshing_until timestamptz,
  primary key (server_id, user_id)
);

-- Sign-ins that have begun. Each can be finished once, by the person who began it.
create table tool_server_logins (
  state_hash text primary key,
  server_id  text not null,
  user_id    uuid not null references users (id) on delete cascade,
  url        text not null,
  sealed     text not null,
  expires_at timestamptz not null
);
create index tool_server_logins_expiry on tool_server_logins (expires_at);

-- A person has allowed an MCP client to use their tools; the client exchanges the code for the key, once.
create table mcp_codes (
  code_hash  text primary key,
  user_id    uuid not null references users (id) on delete cascade,
  sealed     text not null,
  expires_at timestamptz not null,
  -- The key is made when the client exchanges the code. A used code is remembered until it expires: used again, it
  -- revokes the key.
  key_id     uuid references api_keys (id) on delete cascade
);
create index mcp_codes_expiry on mcp_codes (expires_at);

-- Access of an MCP client ends after an hour and is renewed with one of these. Each counts once; a used one is
-- remembered until it expires: used again, it revokes the key.
create table mcp_refresh_tokens (
  token_hash  text primary key,
  key_id      uuid not null references api_keys (id) on delete cascade,
  user_id     uuid not null,
  client_hash text not null,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index mcp_refresh_tokens_expiry on mcp_refresh_tokens (expires_at);
create index mcp_refresh_tokens_key on mcp_refresh_tokens (key_id);
