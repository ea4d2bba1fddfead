-- A person has allowed an MCP client to use their tools; the client exchanges the code for the key, once.
create table mcp_codes (
  code_hash  text primary key,
  user_id    uuid not null references users (id) on delete cascade,
  sealed     text not null,
  expires_at timestamptz not null
);
create index mcp_codes_expiry on mcp_codes (expires_at);
