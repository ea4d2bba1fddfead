-- What each of the last changes of a shared copy concerned, so that a node reads that alone. Changes that concern
-- anything have no row.
create table shared_copy_keys (
  topic text not null,
  change bigint not null,
  key text not null,
  primary key (topic, change)
);
