-- Access of an MCP client ends after an hour and is renewed with one of these. Each counts once; a used one is remembered
-- until it expires: used again, it revokes the key.
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
