-- Whose key made a seal. An organization's own certificate may carry any name, so the public check doesn't vouch for it.
-- Null: sealed before this column was there.
alter table seals add column sealed_by text check (sealed_by in ('instance', 'organization'));
