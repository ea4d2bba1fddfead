-- One file is made of every upload: it is shown, hashed and sealed. What came is kept as evidence.

alter table signing_originals
  -- The upload as it came. Null: from before uploads were rebuilt, when the original was the upload itself, or what was
  -- made of a picture or an office file.
  add column upload_key text unique,
  add column upload_sha256 text,
  add column upload_bytes bigint,
  add column upload_name text,
  add column upload_type text,
  -- [{operations, sha256}] by page: what the original draws, for the comparison after sealing. Null: read then.
  add column drawn jsonb,
  -- [{kind, count, pages}]: what the upload had and the original hasn't.
  add column removed jsonb not null default '[]',
  -- [{name, at, subject}]: who had signed the upload.
  add column earlier_signatures jsonb not null default '[]',
  -- [{name, page, x, y, width, height, type}]: the fields of the upload's own form, which is drawn on the pages now.
  add column form_fields jsonb not null default '[]',
  add constraint signing_originals_upload
    check (num_nulls(upload_key, upload_sha256, upload_bytes, upload_name, upload_type, drawn) in (0, 6));
