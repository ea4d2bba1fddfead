-- The node of a workflow's run that sent a document. A node sends once, however often it runs; a retried run takes
-- over what an earlier run of its line has sent.
alter table signing_documents
  add column run_id uuid,
  add column run_line uuid,
  add column run_node text,
  add constraint signing_documents_run check (num_nulls(run_id, run_line, run_node) in (0, 3));
create unique index signing_documents_run_node on signing_documents (run_id, run_node) where run_id is not null;
create index signing_documents_run_line on signing_documents (run_line, run_node) where run_line is not null;
