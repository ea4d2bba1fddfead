-- Which keys a live process can decrypt with, by id: `chancery rotate-keys` re-encrypts nothing that a server couldn't read.
alter table live_nodes add column opens text[] not null default '{}';

-- The graphs of versions are immutable, but what is encrypted in them may be encrypted again: nothing else may differ.
create or replace function refuse_snapshot_change() returns trigger language plpgsql as $$
declare
  sealed constant text := 'v1\.[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+';
begin
  if tg_op = 'DELETE' and not exists (select from workflows where id = old.workflow_id) then
    return old;
  end if;
  -- The other table has no such columns, so they are looked at in a statement of their own.
  if tg_op = 'UPDATE' and tg_table_name = 'workflow_graphs' and current_setting('chancery.rotating_keys', true) = 'on' then
    if (old.workflow_id, old.hash) = (new.workflow_id, new.hash)
      and regexp_replace(old.graph::text, sealed, '', 'g') = regexp_replace(new.graph::text, sealed, '', 'g') then
      return new;
    end if;
  end if;
  raise exception 'snapshots are immutable' using errcode = 'restrict_violation';
end $$;
