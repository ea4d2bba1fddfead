-- The latest entry about something: saves of one editing session extend it instead of adding entries.
create index audit_log_target on audit_log (target_id, at desc, id desc) where target_id is not null;
