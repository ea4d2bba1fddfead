-- A ban by the platform and a deactivation by the organization are two facts, each lifted only by those who set it.
-- The status that everything else reads follows from them, and from an address that was released.
alter table users
  add column deactivated_at timestamptz,
  add column banned_at timestamptz,
  add column closed_at timestamptz,
  -- The address an account had before somebody else proved that it is theirs.
  add column former_email text;

update users set deactivated_at = now() where status = 'DEACTIVATED' and organization_id is not null;
update users set banned_at = now() where status = 'DEACTIVATED' and organization_id is null;

alter table users drop column status;
alter table users add column status text not null generated always as (
  case when deactivated_at is null and banned_at is null and closed_at is null then 'ACTIVE' else 'DEACTIVATED' end
) stored;

create index users_closed on users (closed_at) where closed_at is not null;
