-- Addresses of other systems that are told what happens here, and what was sent to each.
create table webhook_endpoints (
  id                 uuid primary key,
  scope_id           uuid not null,
  url                text not null,
  description        text not null,
  -- Empty: all.
  event_types        text[] not null,
  enabled            boolean not null,
  disabled_reason    text,
  sealed_secret      text not null,
  sealed_old_secret  text,
  old_secret_ends_at timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null
);
create index webhook_endpoints_scope on webhook_endpoints (scope_id);

create table webhook_deliveries (
  id              uuid primary key,
  endpoint_id     uuid not null references webhook_endpoints (id) on delete cascade,
  type            text not null,
  -- The bytes that are signed and sent, the same in every attempt.
  body            text not null,
  state           text not null check (state in ('PENDING', 'DELIVERED', 'FAILED')),
  -- Attempts since it was created or replayed, and all of them with their results.
  tries           int not null,
  attempts        jsonb not null,
  next_attempt_at timestamptz,
  lease_until     timestamptz,
  epoch           int not null,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  check ((state = 'PENDING') = (next_attempt_at is not null))
);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'PENDING';
create index webhook_deliveries_created on webhook_deliveries (created_at);
