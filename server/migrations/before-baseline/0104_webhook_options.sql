-- More signature schemes for webhooks, and what else of a request counts.
alter table webhook_triggers
  drop constraint webhook_triggers_scheme_check,
  add constraint webhook_triggers_scheme_check check (scheme in ('standard', 'github', 'stripe', 'slack', 'hmac')),
  -- Which header carries the signature of scheme hmac.
  add column signature_header text,
  add column filter_expr text,
  -- The payload is the body with the query and the headers beside it.
  add column has_request boolean not null default false,
  -- How long a delivery waits for the run's output; null: it doesn't.
  add column answer_sec integer;
