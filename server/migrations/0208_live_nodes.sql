-- The processes that are alive. Each renews its row every second; who has not for three seconds counts as gone. Unlogged: a
-- renewal waits for no disk, and after a crash of PostgreSQL the rows are back within a second. Decision 51.
create unlogged table live_nodes (
  id      uuid primary key,
  seen_at timestamptz not null,
  -- It works on events and runs.
  works   boolean not null,
  -- What it wants to be told of, because somebody there follows it.
  hears   text[] not null
) with (fillfactor = 50);
