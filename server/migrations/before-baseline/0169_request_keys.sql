-- What callers named their requests (`Idempotency-Key`): for a day the same name again is the same result. One table for
-- all requests that make something, where there was one for runs alone.
create table request_keys (
  user_id    uuid not null,
  -- What the request makes, and of what.
  purpose    text not null,
  key        text not null,
  result_id  uuid not null,
  expires_at timestamptz not null,
  primary key (user_id, purpose, key)
);
create index request_keys_expiry on request_keys (expires_at);
insert into request_keys (user_id, purpose, key, result_id, expires_at)
  select user_id, 'run ' || workflow_id, key, run_id, expires_at from run_keys;
drop table run_keys;
