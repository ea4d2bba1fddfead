-- What the filter of a wait reads of its run's input and state, as they were when the wait began: the filter is tested
-- where the event is dispatched, on any node. Null where the filter reads neither.
alter table run_waits add column filter_values jsonb;
