-- Lists that look for the few among the many, in the order in which they are shown. Runs that succeeded and those under
-- way need none: the first are found at once by `runs_scope`, the others stand in `runs_deadlines`; so runs that go well
-- cost no more than before. Events by their source have none either: it would cost each event more than all its
-- readers would gain (a tenth of what storing it costs the database).
create index runs_unsuccessful on runs (scope_id, status, created_at desc, id desc)
  where status in ('failed', 'cancelled', 'timed_out');
create index runs_unsuccessful_of_workflow on runs (workflow_id, status, created_at desc, id desc)
  where status in ('failed', 'cancelled', 'timed_out');
create index approvals_answered on approvals (scope_id, answered_at desc) where answered_at is not null;
