-- Only an email that went out, and whose text no administrator has read here, proves the address it went to.
alter table mail_outbox add column shown_at timestamptz;
alter table email_verifications add column mail_id uuid;
alter table password_resets add column mail_id uuid;
alter table login_challenges add column mail_id uuid;
