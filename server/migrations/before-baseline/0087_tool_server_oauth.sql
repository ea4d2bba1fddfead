-- MCP servers that ask each person to sign in (OAuth 2.1), and tools that run only after a person approves.

alter table tool_servers drop constraint tool_servers_auth_type_check;
alter table tool_servers add constraint tool_servers_auth_type_check check (auth_type in ('none', 'bearer', 'oauth_2.1'));
alter table tool_servers add column needs_approval boolean not null default false;
alter table plugins add column needs_approval boolean not null default false;

-- One person's access to one server. Without a reference to tool_servers: the list of servers is replaced as a whole.
create table tool_server_tokens (
  server_id  text not null,
  user_id    uuid not null references users (id) on delete cascade,
  -- The server that the tokens are for. Pointed elsewhere, a server doesn't get them.
  url        text not null,
  -- The registered client and the tokens.
  sealed     text not null,
  expires_at timestamptz,
  updated_at timestamptz not null,
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
