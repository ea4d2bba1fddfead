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
  sent_at       timestamptz
);
create index mail_outbox_created on mail_outbox (created_at desc, id desc);
