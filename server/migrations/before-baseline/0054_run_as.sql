-- Triggered runs act for the owner of the workflow: the organization, or the person who has none. An admin may name a
-- member instead. Workflows from before keep acting for their author, and for the organization when the author leaves.
alter table workflows add column run_as_user_id uuid, add column run_as_name text;
update workflows set run_as_user_id = author_id, run_as_name = author_name where scope_id <> author_id;
