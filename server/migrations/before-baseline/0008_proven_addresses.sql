-- When a person showed that mail to their address reaches them: by a code, a reset link, an invitation or another login.
alter table users add column email_proven_at timestamptz;
