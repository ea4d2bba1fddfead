/**
 * A backup of a running installation in one file: the database as it was at one moment, the files that it names, and the
 * secrets. Nobody waits for it, except the sweep of deleted files and migrations that change tables.
 */
import type pg from 'pg'
import type { OpenBlob } from '#kernel/blobs/index.ts'
import type { Secrets } from '#kernel/config/secrets.ts'
import { describeRest, describeTables, listTables } from './database/catalog.ts'
import { readRows } from './database/copy.ts'
import { namedFiles } from './database/named-files.ts'
import { inSnapshot } from './database/session.ts'
import { backupKind } from './file/format.ts'
import { sealSecrets } from './file/passphrase.ts'
import { type Contents, describeSnapshot, writeEnd, writeFiles, writeJson, writeRowsOf } from './file/write-parts.ts'
import { type ArchiveWriter, writeArchive } from './file/writer.ts'
import type { Progress } from './progress.ts'

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

/** A failure leaves what was at `path` before. */
export const makeBackup = (options: Options): Promise<Contents & { bytes: number }> =>
  writeArchive({ path: options.path, kind: backupKind }, (writer) =>
    inSnapshot(options.databaseUrl, (client) => writeAll(client, writer, options)),
  )

const writeAll = async (client: pg.Client, writer: ArchiveWriter, options: Options): Promise<Contents> => {
  const { sealed: sealedSecrets, keys } = await sealSecrets(options.passphrase, options.secrets)
  await writeJson(writer, 'about', await describeSnapshot(client, { release: options.release, sealedSecrets }))
  await writeJson(writer, 'tables', await describeTables(client))
  const { tables, rows } = await writeTables(client, writer, options.progress)
  await writeJson(writer, 'rest', await describeRest(client))
  const { files, missing } = await writeFiles(writer, { ...options, keys: namedFiles(client) })
  await writeEnd(writer, keys, missing.count)
  return { tables, rows, files, missing }
}

const writeTables = async (client: pg.Client, writer: ArchiveWriter, progress: Progress) => {
  const tables = await listTables(client)
  let rows = 0
  for (const [index, { table, columns, values }] of tables.entries()) {
    progress.begin(`Table ${index + 1} of ${tables.length}, ${table}`)
    const read = readRows(client, { values, from: `only ${table}` })
    await writeRowsOf(writer, { table, columns, ...read }, progress)
    rows += read.count()
  }
  return { tables: tables.length, rows }
}
