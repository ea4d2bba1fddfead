-- Where an email couldn't go out, the sender of a document or an admin hands the link over. Such a link proves no address.

-- The invitation email, to know whether it went out, and the link that was copied last.
alter table invitations add column mail_id uuid, add column copied_token_hash text;
create unique index invitations_copied_token on invitations (copied_token_hash) where copied_token_hash is not null;

alter table signing_links add column is_copied boolean not null default false;
-- Whether the recipient signed through a copied link.
alter table signing_recipients add column signed_by_copied_link boolean not null default false;
