-- Who did what, and from where.
create table audit_log (
  id              uuid primary key,
  at              timestamptz not null,
  action          text not null,
  actor_kind      text not null,
  actor_id        uuid,
  actor_name      text,
  target_kind     text,
  target_id       text,
  organization_id uuid,
  ip              text,
  user_agent      text,
  request_id      text,
  detail          jsonb not null default '{}'
);
create index audit_log_time on audit_log (at desc, id desc);
create index audit_log_organization on audit_log (organization_id, at desc) where organization_id is not null;
create index audit_log_actor on audit_log (actor_id, at desc) where actor_id is not null;
-- The latest entry about something: saves of one editing session extend it instead of adding entries.
create index audit_log_target on audit_log (target_id, at desc, id desc) where target_id is not null;

-- Every mail the server ever wants sent, until it is 30 days old. The body is sealed, and erased once delivered.
create table mail_outbox (
  id            uuid primary key,
  recipient     text not null,
  subject       text not null,
  sealed_body   text,
  status        text not null check (status in ('queued', 'kept', 'sent', 'failed')),
  attempts      integer not null default 0,
  -- While this lies ahead, one worker is talking to the mail server about this row and no other may.
  claimed_until timestamptz,
  error         text,
  created_at    timestamptz not null,
  sent_at       timestamptz,
  -- Only an email that went out, and whose text no administrator has read here, proves the address it went to.
  shown_at      timestamptz
);
create index mail_outbox_created on mail_outbox (created_at desc, id desc);

-- Blobs that no row of a module owns: uploads under way, what an abort or a crash left behind, and what was released
-- for deletion. A claim deletes the row in the module's own transaction; what is still here when its time comes is
-- swept.
create table unowned_blobs (
  key          text primary key,
  is_discarded boolean not null default false,
  sweep_after  timestamptz not null
);
create index unowned_blobs_due on unowned_blobs (sweep_after);

-- Counts the changes of everything that nodes hold in memory, by topic: one statement tells a node which signals it
-- missed.
create table shared_copies (
  topic   text primary key,
  changes bigint not null
);
insert into shared_copies (topic, changes) values ('models', 0), ('plugins', 0);

-- What callers named their requests (`Idempotency-Key`): for a day the same name again is the same result. One table
-- for all requests that make something.
create table request_keys (
  user_id    uuid not null,
  -- What the request makes, and of what.
  purpose    text not null,
  key        text not null,
  result_id  uuid not null,
  expires_at timestamptz not null,
  primary key (user_id, purpose, key)
);
create index request_keys_expiry on request_keys (expires_at);
