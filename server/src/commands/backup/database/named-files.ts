/** Which files of the blob store the database names. */
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** A module that keeps a blob names its column here; `backup.test.ts` finds one that is missing. */
export const fileColumns = [
  ['files', 'blob_key'],
  ['file_images', 'blob_key'],
  ['speech_cache', 'blob_key'],
  ['signing_originals', 'blob_key'],
  ['signing_originals', 'upload_key'],
  ['signing_documents', 'sealed_key'],
  ['signing_documents', 'certificate_key'],
] as const

/** Which rows of a table count; all where it isn't given, none where it answers undefined. */
type Which = (table: string) => string | undefined

const all: Which = () => 'true'

const keysOf = (which: Which): string =>
  fileColumns
    .flatMap(([table, column]) => {
      const where = which(table)
      return where === undefined ? [] : [`select ${column} as key from public.${table} where ${where}`]
    })
    .join(' union ')

/** One after the other, however many there are. Keys have no characters that would be escaped. */
export const namedFiles = (client: pg.Client, which = all): AsyncIterable<string> =>
  createInterface({
    input: client.query(copyTo(`copy (select key from (${keysOf(which)}) as named where key is not null) to stdout`)),
  })

export const countNamedFiles = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    `select count(key)::text as count from (${keysOf(all)}) as named`,
  )
  return Number(rows[0]?.count)
}
