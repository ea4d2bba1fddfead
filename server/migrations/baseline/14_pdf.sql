-- Certificates that documents were sealed with. Rows stay after a certificate is no longer used, so that a file that
-- was sealed here is still recognised.
create table seal_certificates (
  -- SHA-256 of the certificate, hexadecimal.
  fingerprint     text primary key,
  origin          text not null check (origin in ('self_made', 'configured')),
  certificate_pem text not null,
  -- Encrypted; null where the key is in the operator's file.
  sealed_key      text,
  created_at      timestamptz not null
);
-- Nodes that start together agree on one.
create unique index seal_certificates_self_made on seal_certificates (origin) where origin = 'self_made';

-- Every signature that was made here, and for which document. A key may also be used elsewhere, so that a file was
-- sealed here is told by its signature, not by its certificate.
create table seals (
  -- SHA-256 of the signature (CMS), hexadecimal.
  signature_sha256 text primary key,
  document_id      uuid not null,
  created_at       timestamptz not null,
  -- Whose key made a seal. An organization's own certificate may carry any name, so the public check doesn't vouch for
  -- it. Null: sealed before this column was there.
  sealed_by        text check (sealed_by in ('instance', 'organization'))
);

-- An organization's own sealing key, instead of the instance's.
create table organization_seal_keys (
  organization_id uuid primary key references organizations (id) on delete cascade,
  -- The certificate first, then its chain.
  certificate_pem text not null,
  -- Encrypted.
  sealed_key      text not null,
  updated_at      timestamptz not null
);
