-- Signing: envelopes of PDFs, who signs them, what they filled in, and the log that proves it.

-- Uploaded bytes, never changed. Documents and templates refer to them, so that a template is copied without its bytes.
create table signing_originals (
  id             uuid primary key,
  blob_key       text not null unique,
  sha256         text not null,
  bytes          bigint not null,
  page_count     integer not null check (page_count >= 1),
  -- [{width, height}] of the visible pages, in points.
  pages          jsonb not null,
  created_at     timestamptz not null,
  -- Whether an upload was signed already when it came: its owner is told, since sealing writes the file anew.
  has_signatures boolean not null default false
);

-- A template has the same shape as a document: its recipients are roles without an address.
create table signing_documents (
  id                 uuid primary key,
  kind               text not null check (kind in ('DOCUMENT', 'TEMPLATE')),
  -- The organization, or the owner where they have none.
  scope_id           uuid not null,
  organization_id    uuid,
  owner_id           uuid not null,
  -- As they were when the document was made: mails and the certificate name them.
  owner_name         text not null,
  owner_email        text not null,
  title              text not null,
  message            text,
  folder             text,
  language           text not null,
  state              text not null check (state in
    ('DRAFT', 'SENT', 'SEALING', 'COMPLETED', 'DECLINED', 'CANCELLED', 'EXPIRED', 'SEAL_FAILED')),
  signing_order      text not null check (signing_order in ('PARALLEL', 'SEQUENTIAL')),
  email_otp          boolean not null,
  allow_delegation   boolean not null,
  expires_at         timestamptz,
  reminder_days      integer check (reminder_days between 1 and 90),
  next_reminder_at   timestamptz,
  reminder_count     integer not null default 0,
  -- Length and head of the audit chain: entries cut off at its end show.
  audit_count        integer not null default 0,
  audit_head         text not null,
  -- Whoever holds the lease seals; the epoch rises with every claim, so that a late sealer cannot finish.
  seal_epoch         integer not null default 0,
  seal_lease_until   timestamptz,
  seal_error         text,
  sealed_key         text,
  sealed_sha256      text,
  sealed_bytes       bigint,
  sealed_at          timestamptz,
  seal_level         text,
  seal_signer        text,
  sent_at            timestamptz,
  ended_at           timestamptz,
  deleted_at         timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  -- The process that a document belongs to, for its events; the document's own id where nobody says.
  correlation_id     text,
  -- The node of a workflow's run that sent a document. A node sends once, however often it runs; a retried run takes
  -- over what an earlier run of its line has sent.
  run_id             uuid,
  run_line           uuid,
  run_node           text,
  -- The certificate of a completed document as a sealed PDF of its own, made when it is first asked for.
  certificate_key    text,
  certificate_sha256 text,
  certificate_bytes  bigint,
  -- The file of the files module that holds a copy of the sealed PDF, for the run that sent the document.
  sealed_file_id     uuid,
  -- A summary for recipients, made by a model and accepted by the owner.
  summary            text,
  check ((state = 'COMPLETED') = (sealed_key is not null)),
  constraint signing_documents_run check (num_nulls(run_id, run_line, run_node) in (0, 3)),
  check ((certificate_key is null) = (certificate_sha256 is null) and (certificate_key is null) = (certificate_bytes is null))
);
create index signing_documents_list on signing_documents (scope_id, kind, id desc) where deleted_at is null;
create index signing_documents_quota on signing_documents (scope_id, sent_at) where sent_at is not null;
create index signing_documents_expiry on signing_documents (expires_at) where state = 'SENT' and expires_at is not null;
create index signing_documents_reminders on signing_documents (next_reminder_at) where state = 'SENT';
create index signing_documents_sealing on signing_documents (seal_lease_until) where state = 'SEALING';
create index signing_documents_owner on signing_documents (owner_id);
create unique index signing_documents_run_node on signing_documents (run_id, run_node) where run_id is not null;
create index signing_documents_run_line on signing_documents (run_line, run_node) where run_line is not null;
-- The documents that changed last, which every open Home asks for again and again: without it, each request sorts all
-- documents of the scope.
create index signing_documents_updated on signing_documents (scope_id, kind, updated_at, id) where deleted_at is null;

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
  created_at      timestamptz not null,
  -- The account through which a recipient signed; null: by a mailed link.
  signed_by       uuid,
  -- Whether the recipient came through a copied link: signed, declined or only opened the document. The constraint keeps
  -- the name that it has in databases made before the baseline.
  by_copied_link  boolean constraint signing_recipients_signed_by_copied_link_not_null not null default false,
  -- Opened is only who asked to open the document and fetched it; and the zone in which they count their days.
  open_asked_at   timestamptz,
  fetched_at      timestamptz,
  time_zone       text
);
create index signing_recipients_document on signing_recipients (document_id, order_number);
-- What waits for a person, by address.
create index signing_recipients_waiting on signing_recipients (email)
  where state in ('NOTIFIED', 'OPENED') and role in ('SIGNER', 'APPROVER');

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
  position     integer not null,
  -- Who filled a field: what the sender prefilled is shown and recorded as theirs. Null: filled before it was noted.
  filled_by    text check (filled_by in ('SENDER', 'SIGNER', 'SERVICE'))
);
create index signing_fields_document on signing_fields (document_id, position);

-- Every mailed link, by the hash of its token alone. A reminder adds one; resending revokes those before it.
create table signing_links (
  token_hash   text primary key,
  recipient_id uuid not null references signing_recipients (id) on delete cascade,
  created_at   timestamptz not null,
  revoked_at   timestamptz,
  -- Recipients who have an account open their documents there, without the mailed link. A link made for a signed-in
  -- recipient: whose account, and until when. Null: a mailed link.
  user_id      uuid,
  expires_at   timestamptz,
  -- Whether the sender handed it over. Such a link proves no address.
  is_copied    boolean not null default false
);
create index signing_links_recipient on signing_links (recipient_id);
create index signing_links_expiry on signing_links (expires_at) where expires_at is not null;

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

-- Many envelopes from one template and a table of people. Each row is made and sent in one transaction, once.
create table signing_bulk_jobs (
  id          uuid primary key,
  scope_id    uuid not null,
  template_id uuid not null references signing_documents (id),
  owner_id    uuid not null,
  created_at  timestamptz not null,
  done_at     timestamptz
);

create table signing_bulk_rows (
  job_id      uuid not null references signing_bulk_jobs (id) on delete cascade,
  row_number  integer not null,
  title       text not null,
  state       text not null check (state in ('READY', 'REFUSED', 'SENT', 'FAILED')),
  problems    text[] not null,
  -- Who fills which role and which values are there from the start; null where the row was refused.
  request     jsonb,
  document_id uuid,
  primary key (job_id, row_number)
);

-- Whether an organization, or a person without one, lets a model read their documents. No row: it doesn't.
create table signing_ai (
  scope_id   uuid primary key,
  enabled    boolean not null,
  model      text,
  updated_at timestamptz not null,
  check (not enabled or model is not null)
);

-- Every node remembers for a few seconds what a recipient's page shows. The database itself says when that has changed,
-- so that no statement can forget to. The channel is the one of kernel/db/signals.ts; equal messages of a transaction
-- are sent once, when it commits.
create function signal_signing_page() returns trigger language plpgsql as $$
declare
  document uuid;
begin
  case tg_table_name
    when 'signing_documents' then document := new.id;
    when 'signing_links' then select r.document_id into document from signing_recipients as r where r.id = new.recipient_id;
    else document := new.document_id;
  end case;
  perform pg_notify('chancery_signals', 'signing.page ' || document);
  return null;
end $$;
create trigger signing_documents_signal after update on signing_documents
  for each row when (new.state <> 'DRAFT') execute function signal_signing_page();
create trigger signing_recipients_signal after insert or update on signing_recipients
  for each row execute function signal_signing_page();
create trigger signing_fields_signal after update on signing_fields
  for each row execute function signal_signing_page();
create trigger signing_links_signal after update on signing_links
  for each row execute function signal_signing_page();

-- How much a sender, an organization and an address may still cause or get of mail; when each has paid off what it
-- took, in microseconds. In the database, so that one count holds for all nodes and a mail that isn't sent isn't
-- counted.
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
