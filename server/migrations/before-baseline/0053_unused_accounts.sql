-- For the nightly search for unproven accounts that nobody used, and for deleting a person's sessions.
create index users_unproven on users (created_at) where email_proven_at is null and closed_at is null;
create index sessions_by_principal on sessions (principal_id);
