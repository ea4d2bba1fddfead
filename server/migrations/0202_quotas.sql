-- What the quotas on rates have counted: by key, the moment at which what was taken is paid off, in microseconds. In the
-- database, so that one count holds for all nodes, and what is rolled back isn't counted. `granted` is how much the last
-- request of a share got.
alter table signing_mail_allowances rename to quota_debts;
alter table quota_debts add column granted bigint not null default 0;
alter index signing_mail_allowances_pkey rename to quota_debts_pkey;
alter index signing_mail_allowances_paid rename to quota_debts_paid;

-- Quotas that the platform admin has set for a plan, or for one organization or person (the scope); 0 is no limit.
create table quota_overrides (
  quota      text not null,
  subject    text not null,
  most       bigint not null check (most >= 0),
  changed_at timestamptz not null,
  primary key (subject, quota)
);

-- Amounts are counted by scope.
create index subscriptions_scope on subscriptions (scope_id);
create index cron_triggers_scope on cron_triggers (scope_id);
create index webhook_triggers_scope on webhook_triggers (scope_id);
create index knowledge_collections_scope on knowledge_collections (coalesce(organization_id, owner_id));
