-- Every signature that was made here, and for which document. A key may also be used elsewhere, so that a file was sealed
-- here is told by its signature, not by its certificate.
create table seals (
  -- SHA-256 of the signature (CMS), hexadecimal.
  signature_sha256 text primary key,
  document_id      uuid not null,
  created_at       timestamptz not null
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
