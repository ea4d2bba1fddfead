-- Who a person is at another login (identity provider, OAuth provider, company directory), and saved settings.

create table user_identities (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

-- Which login of the other side a session belongs to, so that a logout there ends it here.
alter table sessions add column issuer text, add column external_session_id text;
create index sessions_external on sessions (issuer, external_session_id) where external_session_id is not null;

create table settings (
  key        text primary key,
  value      jsonb not null,
  updated_at timestamptz not null,
  updated_by uuid
);
