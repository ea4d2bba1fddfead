-- Addresses that want no mail are kept as mailboxes: a tag behind a plus makes no other one.
insert into signing_mail_refusals (owner_id, email, kind, created_at)
  select owner_id, lower(regexp_replace(email, '^([^+@]+)\+[^@]*@', '\1@')), kind, created_at
  from signing_mail_refusals where email ~ '^[^+@]+\+[^@]*@'
  on conflict do nothing;
delete from signing_mail_refusals where email ~ '^[^+@]+\+[^@]*@';
-- Signatures in documents that were sent before it was noted who filled a field may be the sender's: they are given again.
update signing_fields as f set value = null
  from signing_documents as d, signing_recipients as r
  where d.id = f.document_id and r.id = f.recipient_id and f.type in ('SIGNATURE', 'INITIALS')
    and d.kind = 'DOCUMENT' and d.state = 'SENT' and r.state in ('PENDING', 'NOTIFIED', 'OPENED')
    and f.value is not null and f.filled_by is null;
