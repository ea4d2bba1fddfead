-- Also says how a recipient came who has only opened the document or declined.
alter table signing_recipients rename column signed_by_copied_link to by_copied_link;
