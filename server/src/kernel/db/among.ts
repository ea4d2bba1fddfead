/** A condition on a list of ids of any length. */
import { type RawBuilder, sql } from 'kysely'

/** The list is one parameter. `in` has one for each id, and a statement takes at most 65,535. */
export const isAmong = (column: string, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`
