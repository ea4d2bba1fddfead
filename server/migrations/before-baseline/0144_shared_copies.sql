-- Counts the changes of everything that nodes hold in memory, by topic: one statement tells a node which signals it missed.
create table shared_copies (
  topic   text primary key,
  changes bigint not null
);
insert into shared_copies (topic, changes)
  select 'models', number from model_changes union all select 'plugins', number from plugin_changes;

-- For nodes of earlier releases while the nodes are upgraded one after another.
drop table model_changes;
create view model_changes as select true as only_row, changes as number from shared_copies where topic = 'models';
drop table plugin_changes;
create view plugin_changes as select true as only_row, changes as number from shared_copies where topic = 'plugins';
