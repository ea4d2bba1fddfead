-- The run whose input a run was started with again, on the version that was live then.
alter table runs add column replay_of uuid;
create index runs_replay on runs (replay_of) where replay_of is not null;
