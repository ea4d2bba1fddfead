/** Which files of the blob store the database names. */
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/** A module that keeps a blob names its column here; `backup.test.ts` finds one that is missing. */
const columns = [
  ['files', 'blob_key'],
  ['file_images', 'blob_key'],
  ['speech_cache', 'blob_key'],
  ['signing_originals', 'blob_key'],
  ['signing_originals', 'upload_key'],
  ['signing_documents', 'sealed_key'],
  ['signing_documents', 'certificate_key'],
] as const

const each = columns.map(([table, column]) => `select ${column} as key from public.${table}`).join(' union ')

/** One after the other, however many there are. Keys have no characters that would be escaped. */
export const namedFiles = (client: pg.Client): AsyncIterable<string> =>
  createInterface({
    input: client.query(copyTo(`copy (select key from (${each}) as named where key is not null) to stdout`)),
  })

export const countNamedFiles = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(`select count(key)::text as count from (${each}) as named`)
  return Number(rows[0]?.count)
}
