/** A record as editable rows: rows may be incomplete, the record contains only complete ones. */
import { hiddenSecret } from '@chancery/contract/plugins/secret-headers.ts'

export interface Pair {
  /** Identifies a row while its name changes. */
  key: number
  name: string
  value: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const pairsOf = (record: unknown): Pair[] =>
  isRecord(record)
    ? Object.entries(record).map(([name, value], key) => ({
        key,
        name,
        value: typeof value === 'string' ? value : JSON.stringify(value),
      }))
    : []

/** If two rows have the same name, the first one counts. */
export function recordOf(pairs: readonly Pair[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (const { name, value } of pairs) if (name.trim() !== '' && !Object.hasOwn(record, name)) record[name] = value
  return record
}

export function pairProblem(pairs: readonly Pair[], pair: Pair): string | undefined {
  if (pair.name.trim() === '') return pair.value === '' ? undefined : 'Enter a name.'
  const first = pairs.find(({ name }) => name === pair.name)
  return first === pair ? undefined : 'Another row has this name.'
}

export const firstProblem = (pairs: readonly Pair[]): string | undefined =>
  pairs.map((pair) => pairProblem(pairs, pair)).find((problem) => problem !== undefined)

/** Rows that are stored as typed. */
export const writePairs = (pairs: readonly Pair[]): string => JSON.stringify(pairs)
export const readPairs = (text: string): Pair[] => JSON.parse(text) as Pair[]

/** A hidden value can't be read, so it is dropped when the row gets a name whose values aren't hidden. */
export const renamed = (pair: Pair, name: string, isSecret?: (name: string) => boolean): Pair => ({
  ...pair,
  name,
  value: pair.value === hiddenSecret && isSecret?.(name) === false ? '' : pair.value,
})
