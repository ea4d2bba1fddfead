-- What HTTP requests of workflows sign in with, shared in a scope and used by id.
create table http_credentials (
  id               uuid primary key,
  scope_id         uuid not null,
  name             text not null,
  description      text not null default '',
  kind             text not null check (kind in ('bearer', 'basic', 'header', 'oauth2')),
  -- The origin of the only server that it is sent to.
  origin           text not null,
  -- What is not secret, by kind.
  fields           jsonb not null default '{}',
  sealed_secret    text not null,
  enabled          boolean not null default true,
  -- OAuth 2: the access token in use, when it ends, and until when somebody fetches another.
  sealed_token     text,
  token_ends_at    timestamptz,
  refreshing_until timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null
);
create index http_credentials_scope on http_credentials (scope_id);
