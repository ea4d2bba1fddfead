-- Public links to shared chats. Each organization decides whether its people may make them.
alter table organizations add column public_chat_links boolean not null default false;

alter table chat_shares
  -- The secret part of the public link; null while only the organization can read the share.
  add column public_token text unique,
  -- The organization that the author belonged to. The link is closed when they leave it.
  add column public_organization_id uuid,
  add column shows_author boolean not null default false;
