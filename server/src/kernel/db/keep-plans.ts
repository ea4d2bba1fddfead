/** Gives statements that are to be kept a name on their connection, by which PostgreSQL knows them again. */
import type pg from 'pg'

export const keptMark = '/* kept */'
const names = new Map<string, string>()

const nameOf = (text: string): string => {
  const name = names.get(text) ?? `kept_${names.size}`
  names.set(text, name)
  return name
}

export const keepPlans = (client: pg.PoolClient): void => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (text: unknown, ...rest: unknown[]): unknown =>
    typeof text === 'string' && text.startsWith(keptMark)
      ? query({ name: nameOf(text), text }, ...rest)
      : query(text, ...rest)
  client.query = named as typeof client.query
}
