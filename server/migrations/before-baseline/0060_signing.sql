-- Signing: envelopes of PDFs, who signs them, what they filled in, and the log that proves it.

-- Uploaded bytes, never changed. Documents and templates refer to them, so that a template is copied without its bytes.
create table signing_originals (
  id         uuid primary key,
  blob_key   text not null unique,
  sha256     text not null,
  bytes      bigint not null,
  page_count integer not null check (page_count >= 1),
  -- [{width, height}] of the visible pages, in points.
  pages      jsonb not null,
  created_at timestamptz not null
);

-- A template has the same shape as a document: its recipients are roles without an address.
create table signing_documents (
  id               uuid primary key,
  kind             text not null check (kind in ('DOCUMENT', 'TEMPLATE')),
  -- The organization, or the owner where they have none.
  scope_id         uuid not null,
  organization_id  uuid,
  owner_id         uuid not null,
  -- As they were when the document was made: mails and the certificate name them.
  owner_name       text not null,
  owner_email      text not null,
  title            text not null,
  message          text,
  folder           text,
  language         text not null,
  state            text not null check (state in
    ('DRAFT', 'SENT', 'SEALING', 'COMPLETED', 'DECLINED', 'CANCELLED', 'EXPIRED', 'SEAL_FAILED')),
  signing_order    text not null check (signing_order in ('PARALLEL', 'SEQUENTIAL')),
  email_otp        boolean not null,
  allow_delegation boolean not null,
  expires_at       timestamptz,
  reminder_days    integer check (reminder_days between 1 and 90),
  next_reminder_at timestamptz,
  reminder_count   integer not null default 0,
  -- Length and head of the audit chain: entries cut off at its end show.
  audit_count      integer not null default 0,
  audit_head       text not null,
  -- Whoever holds the lease seals; the epoch rises with every claim, so that a late sealer cannot finish.
  seal_epoch       integer not null default 0,
  seal_lease_until timestamptz,
  seal_error       text,
  sealed_key       text,
  sealed_sha256    text,
  sealed_bytes     bigint,
  sealed_at        timestamptz,
  seal_level       text,
  seal_signer      text,
  sent_at          timestamptz,
  ended_at         timestamptz,
  deleted_at       timestamptz,
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  check ((state = 'COMPLETED') = (sealed_key is not null))
);
create index signing_documents_list on signing_documents (scope_id, kind, id desc) where deleted_at is null;
create index signing_documents_quota on signing_documents (scope_id, sent_at) where sent_at is not null;
create index signing_documents_expiry on signing_documents (expires_at) where state = 'SENT' and expires_at is not null;
create index signing_documents_reminders on signing_documents (next_reminder_at) where state = 'SENT';
create index signing_documents_sealing on signing_documents (seal_lease_until) where state = 'SEALING';

create table signing_files (
  id          uuid primary key,
  document_id uuid not null references signing_documents (id),
  original_id uuid not null references signing_originals (id),
  position    integer not null,
  name        text not null,
  created_at  timestamptz not null
);
create index signing_files_document on signing_files (document_id, position);
create index signing_files_original on signing_files (original_id);

create table signing_recipients (
  id              uuid primary key,
  document_id     uuid not null references signing_documents (id),
  name            text not null,
  -- Empty in templates.
  email           text not null,
  role            text not null check (role in ('SIGNER', 'APPROVER', 'VIEWER', 'CC')),
  order_number    integer not null check (order_number between 1 and 1000),
  state           text not null check (state in
    ('PENDING', 'NOTIFIED', 'OPENED', 'SIGNED', 'DECLINED', 'EXPIRED', 'REPLACED')),
  message         text,
  language        text,
  -- The last mail with a link, so that its failure is shown beside the recipient.
  mail_id         uuid,
  notified_at     timestamptz,
  opened_at       timestamptz,
  consented_at    timestamptz,
  consent_version text,
  consent_hash    text,
  signed_at       timestamptz,
  -- How and from where they signed.
  otp_verified_at timestamptz,
  signed_ip       text,
  signed_agent    text,
  decline_reason  text,
  replaced_by     uuid,
  created_at      timestamptz not null
);
create index signing_recipients_document on signing_recipients (document_id, order_number);

create table signing_fields (
  id           uuid primary key,
  document_id  uuid not null references signing_documents (id),
  file_id      uuid not null references signing_files (id) on delete cascade,
  recipient_id uuid not null references signing_recipients (id) on delete cascade,
  type         text not null,
  page         integer not null,
  x            double precision not null,
  y            double precision not null,
  width        double precision not null,
  height       double precision not null,
  required     boolean not null,
  read_only    boolean not null,
  label        text,
  -- {options, min, max, maxLength, pattern}
  rules        jsonb not null,
  value        jsonb,
  position     integer not null
);
create index signing_fields_document on signing_fields (document_id, position);

-- Every mailed link, by the hash of its token alone. A reminder adds one; resending revokes those before it.
create table signing_links (
  token_hash   text primary key,
  recipient_id uuid not null references signing_recipients (id) on delete cascade,
  created_at   timestamptz not null,
  revoked_at   timestamptz
);
create index signing_links_recipient on signing_links (recipient_id);

-- The mailed code that a recipient has to type before they see anything. One row: a new code replaces the old one.
create table signing_codes (
  recipient_id uuid primary key references signing_recipients (id) on delete cascade,
  code_mac     text not null,
  -- Of this code, and since the last right one.
  tries        integer not null,
  failures     integer not null,
  sends        integer not null,
  sent_at      timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);

-- What a right code opens, for one browser and the link it came by.
create table signing_sessions (
  token_hash   text primary key,
  recipient_id uuid not null references signing_recipients (id) on delete cascade,
  link_hash    text not null references signing_links (token_hash) on delete cascade,
  created_at   timestamptz not null,
  expires_at   timestamptz not null
);
create index signing_sessions_expiry on signing_sessions (expires_at);

-- Append-only and chained by hash. No foreign key: the log outlives everything else.
create table signing_audit (
  document_id uuid not null,
  seq         integer not null,
  type        text not null,
  at          timestamptz not null,
  actor_type  text not null,
  actor_name  text,
  actor_email text,
  ip          text,
  user_agent  text,
  detail      jsonb not null,
  prev_hash   text not null,
  hash        text not null,
  primary key (document_id, seq)
);
create function refuse_signing_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the signing audit log is append-only' using errcode = 'restrict_violation';
end $$;
create trigger signing_audit_immutable before update or delete on signing_audit
  for each row execute function refuse_signing_audit_change();
create trigger signing_audit_kept before truncate on signing_audit
  for each statement execute function refuse_signing_audit_change();
