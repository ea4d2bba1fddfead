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
