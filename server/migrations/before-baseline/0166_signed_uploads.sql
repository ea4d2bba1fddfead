-- Whether an upload was signed already when it came: its owner is told, since sealing writes the file anew.
alter table signing_originals add column has_signatures boolean not null default false;

-- The audit log has it of earlier ones.
update signing_originals set has_signatures = true where id in (
  select f.original_id from signing_files f
    join signing_audit a on a.document_id = f.document_id and a.type = 'file_added'
      and a.detail ->> 'fileId' = f.id::text and a.detail -> 'hasSignatures' = 'true'
);
