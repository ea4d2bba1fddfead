-- Directories: a company's own, where its people's passwords are checked, and ours, where companies are mirrored.
create table ldap_directories (
  organization_id uuid primary key references organizations (id) on delete cascade,
  enabled         boolean not null,
  url             text not null,
  start_tls       boolean not null,
  ca_pem          text not null,
  bind_dn         text not null,
  -- Sealed; null without one.
  bind_password   text,
  base_dn         text not null,
  user_filter     text not null,
  attributes      jsonb not null,
  group_roles     jsonb not null,
  auto_provision  boolean not null,
  updated_at      timestamptz not null
);

-- What we made in the provisioning directory, and which of our things it stands for. Entries are found by their UUID,
-- wherever somebody moved them; `source_name` is our name at the time the entry got its own.
create table ldap_entries (
  organization_id uuid not null references organizations (id) on delete cascade,
  kind            text not null check (kind in ('company', 'people', 'groups', 'departments', 'person', 'group', 'department')),
  subject_id      uuid not null,
  entry_uuid      text not null,
  source_name     text not null,
  entry_name      text not null,
  updated_at      timestamptz not null,
  primary key (organization_id, kind, subject_id)
);
