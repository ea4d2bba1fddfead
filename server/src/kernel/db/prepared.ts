/**
 * SQL for hot paths: written once, then parsed and planned once for each connection instead of every time, which is most
 * of what a small statement costs. It names its columns, and its text never changes: lists go in as arrays.
 */
import { CompiledQuery, type QueryResult } from 'kysely'
import type { Db } from './database.ts'
import { preparedMark } from './name-prepared.ts'

interface PreparedStatement<Row> {
  execute(db: Db): Promise<QueryResult<Row>>
}

/** By the template they came from: there is one for each place in the code. */
const written = new WeakMap<TemplateStringsArray, CompiledQuery>()

const write = (parts: TemplateStringsArray): CompiledQuery => {
  const text = parts.reduce((before, part, place) => `${before}$${place}${part}`)
  const query = CompiledQuery.raw(preparedMark + text)
  written.set(parts, query)
  return query
}

/** Whatever stands in `${}` is a parameter, never SQL. */
export const prepared = <Row = unknown>(
  parts: TemplateStringsArray,
  ...parameters: unknown[]
): PreparedStatement<Row> => ({
  execute: (db) => db.executeQuery<Row>({ ...(written.get(parts) ?? write(parts)), parameters } as CompiledQuery<Row>),
})
