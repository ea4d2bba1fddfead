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

/** By their template: there is one for each call site. */
const written = new WeakMap<TemplateStringsArray, CompiledQuery>()

const write = (parts: TemplateStringsArray): CompiledQuery => {
  const text = parts.reduce((before, part, index) => `${before}$${index}${part}`)
  const query = CompiledQuery.raw(preparedMark + text)
  written.set(parts, query)
  return query
}

/** For a text that is put together when the file is loaded. Its parameters are `$1`, `$2` and so on. */
export const preparedText = <Row>(text: string): ((...parameters: unknown[]) => PreparedStatement<Row>) => {
  const query = CompiledQuery.raw(preparedMark + text)
  return (...parameters) => ({ execute: (db) => db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>) })
}

/** Every `${}` is a parameter, never SQL. */
export const prepared = <Row = unknown>(
  parts: TemplateStringsArray,
  ...parameters: unknown[]
): PreparedStatement<Row> => ({
  execute: (db) => db.executeQuery<Row>({ ...(written.get(parts) ?? write(parts)), parameters } as CompiledQuery<Row>),
})
