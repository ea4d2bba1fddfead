-- How much a sender, an organization and an address may still cause or get of mail; when each has paid off what it took,
-- in microseconds. In the database, so that one count holds for all nodes and a mail that isn't sent isn't counted.
create table signing_mail_allowances (
  key            text primary key,
  paid_off_at_us bigint not null
);
create index signing_mail_allowances_paid on signing_mail_allowances (paid_off_at_us);

-- Addresses that want no mail from a sender.
create table signing_mail_refusals (
  owner_id   uuid not null,
  email      text not null,
  kind       text not null check (kind in ('NOT_ME', 'NO_MORE_MAIL')),
  created_at timestamptz not null,
  primary key (owner_id, email)
);
