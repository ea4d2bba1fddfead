-- What the person who uploads a file says about it, to filter by. Searches read it with the file's row.
alter table files add column metadata jsonb not null default '{}';
