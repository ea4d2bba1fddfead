/** The parts that a backup and an organization's export have in common. */
import type pg from 'pg'
import type { OpenBlob } from '#kernel/blobs/index.ts'
import { counted, type Progress } from '../progress.ts'
import type { About, End } from './format.ts'
import type { Keys } from './passphrase.ts'
import type { ArchiveWriter } from './writer.ts'

/** What the database names, but the store hasn't. */
interface MissingFiles {
  count: number
  /** The first of their keys. */
  examples: string[]
}

export interface Contents {
  tables: number
  rows: number
  files: number
  missing: MissingFiles
}

export const describeSnapshot = async (
  client: pg.Client,
  more: Pick<About, 'release' | 'sealedSecrets'>,
): Promise<About> => {
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from public.schema_migrations order by applied_at, name',
  )
  const { rows: facts } = await client.query<{ postgres: string; createdAt: Date }>(
    `select current_setting('server_version') as postgres, now() as "createdAt"`,
  )
  const { postgres = '', createdAt = new Date() } = facts[0] ?? {}
  return {
    format: 1,
    createdAt: createdAt.toISOString(),
    postgres,
    migrations: migrations.map(({ name }) => name),
    ...more,
  }
}

export const writeJson = (writer: ArchiveWriter, name: string, value: unknown) =>
  writer.write({ name, compression: 'none' }, [Buffer.from(JSON.stringify(value))])

interface Rows {
  table: string
  columns: string[]
  content: AsyncIterable<Uint8Array>
  count(): number
}

export const writeRowsOf = (writer: ArchiveWriter, { table, columns, content, count }: Rows, progress: Progress) =>
  writer.write({ name: `rows/${table}`, compression: 'zstd', table, columns }, counted(content, progress), () => ({
    rows: count(),
  }))

interface Files {
  keys: AsyncIterable<string>
  /** Undefined where the store has no such file. */
  openFile(key: string): Promise<OpenBlob | undefined>
  progress: Progress
}

export const writeFiles = async (writer: ArchiveWriter, { keys, openFile, progress }: Files) => {
  const missing: MissingFiles = { count: 0, examples: [] }
  let files = 0
  for await (const key of keys) {
    const file = await openFile(key)
    if (!file) {
      missing.count += 1
      if (missing.examples.length < 5) missing.examples.push(key)
      continue
    }
    files += 1
    progress.begin(`File ${files}`)
    // Most of them are compressed already: PDFs, pictures, recordings.
    await writer.write({ name: `files/${key}`, compression: 'none' }, counted(file.stream, progress))
  }
  return { files, missing }
}

export const writeEnd = async (writer: ArchiveWriter, keys: Keys, missingFiles: number): Promise<void> => {
  const end: End = { parts: writer.parts(), missingFiles, mac: keys.macOf(writer.digest()) }
  await writeJson(writer, 'end', end)
}
