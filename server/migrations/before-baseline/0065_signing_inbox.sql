-- Recipients who have an account open their documents there, without the mailed link.

-- A link made for a signed-in recipient: whose account, and until when. Null: a mailed link.
alter table signing_links add column user_id uuid, add column expires_at timestamptz;
create index signing_links_expiry on signing_links (expires_at) where expires_at is not null;

-- The account through which a recipient signed; null: by a mailed link.
alter table signing_recipients add column signed_by uuid;

-- What waits for a person, by address.
create index signing_recipients_waiting on signing_recipients (email)
  where state in ('NOTIFIED', 'OPENED') and role in ('SIGNER', 'APPROVER');
