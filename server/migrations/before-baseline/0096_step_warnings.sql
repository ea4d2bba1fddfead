-- What a step went on in spite of, such as a placeholder that leads nowhere.
alter table run_steps add column warnings text[];
