/** Names the statements to be prepared, so that PostgreSQL parses and plans each once per connection. */
import type pg from 'pg'

export const preparedMark = '/* prepared */'
const names = new Map<string, string>()

const nameOf = (text: string): string => {
  const name = names.get(text) ?? `prepared_${names.size}`
  names.set(text, name)
  return name
}

export const namePreparedStatements = (client: pg.PoolClient): void => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (text: unknown, ...rest: unknown[]): unknown =>
    typeof text === 'string' && text.startsWith(preparedMark)
      ? query({ name: nameOf(text), text }, ...rest)
      : query(text, ...rest)
  client.query = named as typeof client.query
}
