/**
 * Restores a backup beside everything else, into a database of its own that is gone afterwards, and compares what then
 * lies in its tables with what was written. The running installation isn't touched.
 */
import { createHash } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbeddedPostgres } from '#kernel/db/embedded-postgres/index.ts'
import type { Log } from '#kernel/log.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { listTables } from './database/catalog.ts'
import { readRows } from './database/copy.ts'
import { countNamedFiles } from './database/named-files.ts'
import { inSnapshot } from './database/session.ts'
import type { Part } from './file/reader.ts'
import type { Progress } from './progress.ts'
import { type Restored, restoreBackup } from './restore-backup.ts'

interface Options {
  path: string
  passphrase: string
  known: ReadonlySet<string>
  /** Where the database is made; about as much room is needed as the restored one takes. */
  besides: string
  log: Log
  progress: Progress
}

export const verifyBackup = async ({ besides, log, ...options }: Options): Promise<Restored> => {
  const dataDir = await mkdtemp(join(besides, 'verify-'))
  try {
    // As root, PostgreSQL runs as another user, who must be able to enter the folder.
    await chmod(dataDir, 0o711)
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } })
    try {
      return await restoreAndCompare({ ...options, databaseUrl: postgres.url })
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Comparison = Omit<Options, 'besides' | 'log'> & { databaseUrl: string }

const restoreAndCompare = async (options: Comparison): Promise<Restored> => {
  const written = new Map<string, Part>()
  const restored = await restoreBackup({
    ...options,
    storeFile: async (_key, content) => {
      for await (const _ of content);
    },
    acceptSecrets: () => undefined,
    storeSecrets: () => undefined,
    onRows: (part) => written.set(part.header.table ?? '', part),
  })
  await compareRestored(options.databaseUrl, { written, restored, progress: options.progress })
  return restored
}

interface Compared {
  /** By table. */
  written: ReadonlyMap<string, Part>
  restored: Restored
  progress: Progress
}

export const compareRestored = (databaseUrl: string, compared: Compared): Promise<void> =>
  inSnapshot(databaseUrl, (client) => compare(client, compared))

const compare = async (client: pg.Client, { written, restored, progress }: Compared): Promise<void> => {
  const tables = await listTables(client)
  if (tables.length !== written.size) throw differs('the number of tables')
  for (const table of tables) {
    progress.begin(`Comparing ${table.table}`)
    const { content, count } = readRows(client, { ...table, from: `only ${table.table}` })
    const hash = createHash('sha256')
    for await (const chunk of content) {
      hash.update(chunk)
      progress.add(chunk.length)
    }
    const { sha256, rows } = written.get(table.table)?.trailer() ?? {}
    if (sha256 !== hash.digest('hex') || rows !== count()) throw differs(`the table ${table.table}`)
  }
  if ((await countNamedFiles(client)) !== restored.files + restored.missingFiles) throw differs('the number of files')
}

const differs = (what: string): StartError =>
  new StartError(`The backup doesn't restore to what was saved: ${what} differs. Make another one.`)
