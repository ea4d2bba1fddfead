/** Lists inside a message's body, changed by the database, so that concurrent events are both kept. */
import { type RawBuilder, sql } from 'kysely'

/** Each list keeps only its newest items. */
const maxItems = 500

/** A merge may have stored anything under the name; a value that is not a list counts as an empty one. */
const listIn = (field: string) =>
  sql`case when jsonb_typeof(body -> ${field}) = 'array' then body -> ${field} else '[]'::jsonb end`

const withList = (field: string, list: RawBuilder<unknown>) =>
  sql`jsonb_set(body, array[${field}], (
    select coalesce(jsonb_agg(item order by ordinal), '[]'::jsonb) from (
      select item, ordinal from jsonb_array_elements(${list}) with ordinality as kept (item, ordinal)
      order by ordinal desc limit ${sql.lit(maxItems)}
    ) as newest
  ))`

/** These items first, then the others that the list already has. */
export const withAdded = (field: string, own: string): RawBuilder<unknown> => sql`(${own}::jsonb || (
  select coalesce(jsonb_agg(item order by ordinal), '[]'::jsonb)
  from jsonb_array_elements(${listIn(field)}) with ordinality as known (item, ordinal)
  where item not in (select jsonb_array_elements(${own}::jsonb))
))`

export const appended = (field: string, items: readonly unknown[]): RawBuilder<unknown> =>
  withList(field, sql`(${listIn(field)}) || ${JSON.stringify(items)}::jsonb`)

/** A run of code reports several times under one id: the last report counts, at its first position. */
export const withRun = (id: string, run: unknown): RawBuilder<unknown> => {
  const runs = listIn('code_executions')
  const json = sql`${JSON.stringify(run)}::jsonb`
  const replaced = sql`(
    select jsonb_agg(case when item ->> 'id' = ${id} then ${json} else item end order by ordinal)
    from jsonb_array_elements(${runs}) with ordinality as old (item, ordinal)
  )`
  const isKnown = sql`(${runs}) @> jsonb_build_array(jsonb_build_object('id', ${id}::text))`
  return withList(
    'code_executions',
    sql`case when ${isKnown} then ${replaced} else (${runs}) || jsonb_build_array(${json}) end`,
  )
}
