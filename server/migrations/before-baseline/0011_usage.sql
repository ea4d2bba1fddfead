-- What models were used for, summed by day, and how much may be used.

create table usage_days (
  day               date not null,
  principal_kind    text not null check (principal_kind in ('user', 'admin')),
  principal_id      uuid not null,
  -- The one the caller belonged to then; the nil id for none.
  organization_id   uuid not null,
  -- The nil id for calls without a key.
  key_id            uuid not null,
  model             text not null,
  requests          bigint not null default 0,
  failures          bigint not null default 0,
  prompt_tokens     bigint not null default 0,
  completion_tokens bigint not null default 0,
  primary key (day, principal_id, organization_id, key_id, model)
);
create index usage_days_organization on usage_days (organization_id, day);
create index usage_days_principal on usage_days (principal_id, day);

create table usage_limits (
  id                  uuid primary key,
  subject_type        text not null check (subject_type in ('everyone', 'user', 'group', 'organization', 'key')),
  -- The nil id for everyone.
  subject_id          uuid not null,
  -- A company's administrator cannot lift what the platform set: both limit the same subject side by side.
  set_by              text not null check (set_by in ('platform', 'organization')),
  requests_per_minute bigint,
  tokens_per_day      bigint,
  tokens_per_month    bigint,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  unique (subject_type, subject_id, set_by)
);
