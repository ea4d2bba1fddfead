-- Who filled a field: what the sender prefilled is shown and recorded as theirs.
alter table signing_fields add column filled_by text check (filled_by in ('SENDER', 'SIGNER', 'SERVICE'));
-- A signature is the signer's act: what senders prefilled or locked of it is theirs to give again.
update signing_fields as f set value = null, read_only = false
  from signing_documents as d, signing_recipients as r
  where d.id = f.document_id and r.id = f.recipient_id and f.type in ('SIGNATURE', 'INITIALS')
    and (d.state = 'DRAFT' or d.kind = 'TEMPLATE' or (d.state = 'SENT' and f.read_only and r.state <> 'SIGNED'))
    and (f.value is not null or f.read_only);
update signing_fields as f set filled_by = 'SENDER'
  from signing_documents as d
  where d.id = f.document_id and f.value is not null and (f.read_only or d.state = 'DRAFT' or d.kind = 'TEMPLATE');
