-- What lets old rows go finds them from the oldest on, and passes over none twice.
create index cron_fires_due on cron_fires (due_at);

-- Up to which ended run steps have been let go: runs outlive their steps by months, and are not gone through again. One row.
create table step_retention (
  id         boolean primary key default true check (id),
  through_at timestamptz not null,
  through_id uuid not null
);
insert into step_retention (through_at, through_id) values ('epoch', '00000000-0000-0000-0000-000000000000');
