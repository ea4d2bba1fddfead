-- From now on one change in ten puts the rows of what it changes together. Not before: a merge while the first totals are
-- added could be counted twice. Rows that another transaction is merging are left to it, so nobody waits. Once in a
-- transaction, or one of many changes would look through what it merged itself again and again.
create or replace function add_to_running_totals(of_kind text, owners uuid[], names text[], amounts bigint[]) returns void
language plpgsql as $$
begin
  insert into running_totals (kind, owner_id, name, amount)
  select of_kind, owner, change_name, sum(change)
  from unnest(owners, names, amounts) as changes (owner, change_name, change)
  where owner is not null group by owner, change_name having sum(change) <> 0;
  if random() < 0.1 and coalesce(current_setting('totals.merged', true), '') = '' then
    perform set_config('totals.merged', 'yes', true);
    with own as (
      select ctid as row_id from running_totals
      where kind = of_kind and owner_id = any(owners) and name = any(names) for update skip locked
    ), merged as (
      delete from running_totals where ctid = any(array(select row_id from own)) returning owner_id, name, amount
    )
    insert into running_totals (kind, owner_id, name, amount)
    select of_kind, owner_id, name, sum(amount) from merged group by owner_id, name having sum(amount) <> 0;
  end if;
end $$;
