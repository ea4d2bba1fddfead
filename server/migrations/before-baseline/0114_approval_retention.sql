-- How many days an organization keeps answered approvals. Without a row they are kept forever.
create table approval_retention (
  scope_id uuid primary key,
  days     integer not null check (days > 0)
);
