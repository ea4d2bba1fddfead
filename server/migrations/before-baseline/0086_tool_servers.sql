-- OpenAPI and MCP servers whose tools models may call.
create table tool_servers (
  id            text primary key,
  type          text not null check (type in ('openapi', 'mcp')),
  name          text not null,
  url           text not null,
  path          text not null,
  auth_type     text not null check (auth_type in ('none', 'bearer')),
  sealed_key    text,
  headers       jsonb not null default '{}',
  enabled       boolean not null,
  -- False: open to every signed-in user. True: to administrators and whom access_grants names.
  is_restricted boolean not null,
  position      integer not null,
  updated_at    timestamptz not null
);
