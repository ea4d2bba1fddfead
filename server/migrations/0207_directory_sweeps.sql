-- How far each company is in agreement with the identity provider's directory.
create table sso_sync_states (
  organization_id uuid primary key references organizations (id) on delete cascade,
  -- Of the company's people there, as the last pass read them. Null: a pass is due.
  digest text,
  -- Counts changes on our side; a pass that began before the last one leaves the digest empty.
  changes bigint not null default 0,
  passed_at timestamptz,
  -- A pass is queued or under way since.
  requested_at timestamptz,
  -- Passes in a row that failed or left something out; the next one is not before `retry_at`.
  tries integer not null default 0,
  retry_at timestamptz
);

-- The last look at the whole directory; any node may take the next one.
create table sso_sweeps (
  only_row boolean primary key default true check (only_row),
  begun_at timestamptz not null,
  ended_at timestamptz
);
