-- An organization may claim any domain; it is theirs once a TXT record proves it or the platform's operators say so.
-- Only a verified domain decides who signs in where, and only one organization can have it.
alter table organization_domains
  add column verified_at timestamptz,
  add column txt_token text;
update organization_domains set verified_at = created_at;
alter table organization_domains drop constraint organization_domains_pkey;
alter table organization_domains add primary key (organization_id, domain);
drop index organization_domains_organization;
create unique index organization_domains_verified on organization_domains (domain) where verified_at is not null;
