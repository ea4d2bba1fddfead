-- concurrently
-- Decisions get the position of their event, and the tables of events and decisions an upper end, so that the next
-- migration can make them the first of several partitions without looking at a row. Decision 53.

-- 0 for decisions of nodes of the previous release, which don't know it.
alter table event_deliveries add column if not exists seq bigint not null default 0;

-- The end is far enough away for events that are published until the next migration: ten million positions, and a
-- quarter of all there have been.
-- allowed: `not valid` only; the text is put together because the end is counted.
do $$
declare
  size constant bigint := 10000000;
  counted bigint;
  until bigint;
  name text;
begin
  select case when is_called then last_value else 0 end into counted from events_seq_seq;
  until := (counted / size + 1 + counted / size / 4) * size;
  foreach name in array array['events', 'event_deliveries'] loop
    if not exists (select from pg_constraint where conname = 'before_partitions' and conrelid = name::regclass) then
      execute format('alter table %I add constraint before_partitions check (seq < %s) not valid', name, until);
    end if;
  end loop;
end $$;

-- Reads every row, and keeps nobody waiting.
alter table events validate constraint before_partitions;
alter table event_deliveries validate constraint before_partitions;
