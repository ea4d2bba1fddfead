-- When the owner of a workflow was last told that its runs fail.
create table workflow_failure_mails (
  workflow_id uuid primary key references workflows (id) on delete cascade,
  sent_at     timestamptz not null
);
