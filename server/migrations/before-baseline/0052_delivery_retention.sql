-- Retention finds the oldest decisions directly. The block summaries it used before made every batch read again what the
-- batches before it had deleted. Decisions of one dispatch share their time, which keeps this index small.
create index event_deliveries_decided_at on event_deliveries (decided_at);
drop index event_deliveries_decided;
