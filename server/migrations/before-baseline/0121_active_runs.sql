-- Lists of active runs read only those of their scope: without it, the few waiting runs of a scope are found by reading
-- all of its runs. A run has an entry only until it ends.
create index runs_active on runs (scope_id, status, created_at desc, id desc)
  where status in ('queued', 'running', 'waiting');
