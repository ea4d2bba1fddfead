-- How far a batch reaches: from its first position to its last. With the longest of all spans, the batch that holds a
-- position is found among the few that can reach it, however long the queue is.
create function highest_of(numbers bigint[]) returns bigint language sql immutable strict parallel safe as $$
  select max(number) from unnest(numbers) as number
$$;
alter table event_batches add column span bigint not null generated always as (highest_of(seqs) - seq) stored;
create index event_batches_span on event_batches (span);

-- Decisions made before this time have been deleted, so an event without any may have had some. One row.
create table delivery_retention (
  id         boolean primary key default true check (id),
  through_at timestamptz not null
);
insert into delivery_retention (through_at) values ('epoch');
