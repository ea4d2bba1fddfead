/** Names the statements to be prepared, so that PostgreSQL parses and plans each once per connection. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { recordedSpan } from '../spans/span.ts'
import { inSqlSpan } from '../spans/sql-span.ts'

export const preparedMark = '/* prepared */'
const names = new Map<string, string>()

const nameOf = (text: string): string => {
  const name = names.get(text) ?? `prepared_${names.size}`
  names.set(text, name)
  return name
}

type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

interface Options {
  /** Otherwise they are parsed and planned each time, under no name. */
  prepares: boolean
}

const withNames = (client: pg.PoolClient, { prepares }: Options): PostgresPoolClient => {
  const send: Query = (text, values) =>
    prepares && text.startsWith(preparedMark)
      ? client.query({ name: nameOf(text), text, values: [...values] })
      : client.query(text, [...values])
  const query: Query = (text, values) => {
    const parent = recordedSpan()
    return parent ? inSqlSpan(parent, text, () => send(text, values)) : send(text, values)
  }
  return { query: query as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
}

/** The pool as Kysely uses it. */
export const namingPool = (pool: pg.Pool, options: Options): PostgresPool => {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect()
      const named = known.get(client) ?? withNames(client, options)
      known.set(client, named)
      return named
    },
  }
}
