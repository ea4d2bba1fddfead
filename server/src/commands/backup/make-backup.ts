/**
 * A backup of a running installation in one file: the database as it was at one moment, the files that it names, and the
 * secrets. Nobody waits for it, except the sweep of deleted files and migrations that change tables.
 */
import type pg from 'pg'
import type { OpenBlob } from '#kernel/blobs/index.ts'
import type { Secrets } from '#kernel/config/secrets.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { describeRest, describeTables, listTables } from './database/catalog.ts'
import { readRows } from './database/copy.ts'
import { namedFiles } from './database/named-files.ts'
import { inSnapshot } from './database/session.ts'
import type { About, End } from './file/format.ts'
import { type Keys, sealSecrets } from './file/passphrase.ts'
import { type BackupWriter, createBackupWriter } from './file/writer.ts'
import { counted, type Progress } from './progress.ts'

interface Options {
  path: string
  databaseUrl: string
  /** Undefined where the store has no such file. */
  openFile(key: string): Promise<OpenBlob | undefined>
  secrets: Secrets
  passphrase: string
  release: string
  progress: Progress
}

/** What the database names, but the store hasn't. */
interface MissingFiles {
  count: number
  /** The first of their keys. */
  examples: string[]
}

interface Contents {
  tables: number
  rows: number
  files: number
  missing: MissingFiles
}

/** A failure leaves what was at `path` before. */
export const makeBackup = async (options: Options): Promise<Contents & { bytes: number }> => {
  const writer = await createBackupWriter(options.path)
  try {
    const contents = await inSnapshot(options.databaseUrl, (client) => writeAll(client, writer, options))
    await writer.finish()
    return { ...contents, bytes: writer.bytes() }
  } catch (problem) {
    await writer.discard()
    throw asSentence(problem, options.path)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large there',
}

const asSentence = (problem: unknown, path: string): unknown => {
  const { code = '', syscall } = problem as NodeJS.ErrnoException
  const reason = syscall === undefined ? undefined : reasons[code]
  if (reason === undefined) return problem
  return new StartError(`The backup can't be written to ${path}: ${reason}. What was there before is unchanged.`, {
    cause: problem,
  })
}

const writeAll = async (client: pg.Client, writer: BackupWriter, options: Options): Promise<Contents> => {
  const { sealed, keys } = await sealSecrets(options.passphrase, options.secrets)
  await writeJson(writer, 'about', await describe(client, options.release, sealed))
  await writeJson(writer, 'tables', await describeTables(client))
  const { tables, rows } = await writeTables(client, writer, options.progress)
  await writeJson(writer, 'rest', await describeRest(client))
  const { files, missing } = await writeFiles(client, writer, options)
  await writeEnd(writer, keys, missing.count)
  return { tables, rows, files, missing }
}

const describe = async (client: pg.Client, release: string, sealedSecrets: About['sealedSecrets']): Promise<About> => {
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from public.schema_migrations order by applied_at, name',
  )
  const { rows: facts } = await client.query<{ postgres: string; createdAt: Date }>(
    `select current_setting('server_version') as postgres, now() as "createdAt"`,
  )
  const { postgres = '', createdAt = new Date() } = facts[0] ?? {}
  return {
    format: 1,
    release,
    createdAt: createdAt.toISOString(),
    postgres,
    migrations: migrations.map(({ name }) => name),
    sealedSecrets,
  }
}

const writeJson = (writer: BackupWriter, name: string, value: unknown) =>
  writer.write({ name, compression: 'none' }, [Buffer.from(JSON.stringify(value))])

const writeTables = async (client: pg.Client, writer: BackupWriter, progress: Progress) => {
  const tables = await listTables(client)
  let rows = 0
  for (const [index, { table, columns, values }] of tables.entries()) {
    progress.begin(`Table ${index + 1} of ${tables.length}, ${table}`)
    const { content, count } = readRows(client, { table, columns, values })
    await writer.write(
      { name: `rows/${table}`, compression: 'zstd', table, columns },
      counted(content, progress),
      () => ({
        rows: count(),
      }),
    )
    rows += count()
  }
  return { tables: tables.length, rows }
}

const writeFiles = async (client: pg.Client, writer: BackupWriter, { openFile, progress }: Options) => {
  const missing: MissingFiles = { count: 0, examples: [] }
  let files = 0
  for await (const key of namedFiles(client)) {
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

const writeEnd = async (writer: BackupWriter, keys: Keys, missingFiles: number): Promise<void> => {
  const end: End = { parts: writer.parts(), missingFiles, mac: keys.macOf(writer.digest()) }
  await writeJson(writer, 'end', end)
}
