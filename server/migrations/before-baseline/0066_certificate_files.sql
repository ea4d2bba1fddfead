-- The certificate of a completed document as a sealed PDF of its own, made when it is first asked for.
alter table signing_documents
  add column certificate_key text,
  add column certificate_sha256 text,
  add column certificate_bytes bigint,
  add check ((certificate_key is null) = (certificate_sha256 is null) and (certificate_key is null) = (certificate_bytes is null));
