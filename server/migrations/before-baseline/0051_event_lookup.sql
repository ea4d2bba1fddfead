-- Events of one source, also together with a type, in the order of the stream.
create index events_source on events (scope_id, source, seq);

-- Positions follow time closely, so time ranges and retention go by position: no index on the time is needed, and the
-- retention reads only what it deletes.
drop index events_published;

-- The first position from which on events were published at this time or later, by binary search over positions. It is
-- exact where the clocks of all nodes agree; callers leave a margin for clocks that differ.
create function event_seq_from(target timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint;
  high bigint;
  middle bigint;
  probe record;
begin
  select min(seq), max(seq) + 1 into low, high from events;
  if low is null then
    return 0;
  end if;
  while low < high loop
    middle := (low + high) / 2;
    select seq, published_at into probe from events where seq >= middle order by seq limit 1;
    if probe.seq is null or probe.published_at >= target then
      high := middle;
    else
      low := probe.seq + 1;
    end if;
  end loop;
  return low;
end $$;
