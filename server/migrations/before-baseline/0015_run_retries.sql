-- From a run to those that went on where it failed.
create index runs_retry on runs (retry_of) where retry_of is not null;
