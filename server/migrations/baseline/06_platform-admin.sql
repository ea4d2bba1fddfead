create table admin_accounts (
  id            uuid primary key,
  name          text not null,
  email         text not null,
  password_hash text not null,
  active        boolean not null default true,
  last_login_at timestamptz,
  created_at    timestamptz not null
);
create unique index admin_accounts_email on admin_accounts (email);

-- Holds at most one row: whoever inserts it makes the first platform admin.
create table admin_setup (
  only_row boolean primary key default true check (only_row),
  done_at  timestamptz not null
);
