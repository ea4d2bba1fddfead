-- Whose failures in a row these are: such a count ends with a success, not with time. Null for unknown addresses.
alter table login_failures add column principal_id uuid;
create index login_failures_principal on login_failures (principal_id) where principal_id is not null;
