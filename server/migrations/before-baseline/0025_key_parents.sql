-- A key that was made with another key ends together with it.
alter table api_keys add column parent_id uuid references api_keys (id);
create index api_keys_parent on api_keys (parent_id) where parent_id is not null;
