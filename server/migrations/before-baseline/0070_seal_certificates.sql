-- Certificates that documents were sealed with. Rows stay after a certificate is no longer used, so that a file that was
-- sealed here is still recognised.
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
