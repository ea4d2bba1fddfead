/**
 * Restores a backup into an empty place. The database is filled in one transaction, which is committed when everything
 * else is there and the file has shown to be whole. So a restore that fails or is killed leaves an empty database, and
 * may be tried again.
 */
import type pg from 'pg'
import type { Secrets } from '#kernel/config/secrets.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { fillTable, requireEmpty, runStatements } from './database/restore-database.ts'
import { inRestore } from './database/session.ts'
import { type About, backupKind } from './file/format.ts'
import type { Part } from './file/reader.ts'
import { counted, type Progress } from './progress.ts'
import { checkArchive, openArchive } from './read-archive.ts'

interface Options {
  path: string
  passphrase: string
  databaseUrl: string
  /** Of migrations, that this release has. */
  known: ReadonlySet<string>
  storeFile(key: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Before anything is changed: throws where they don't fit to what is there. */
  acceptSecrets(secrets: Secrets): void
  /** When everything else is there. */
  storeSecrets(secrets: Secrets): void
  /** A table has been filled from this part. */
  onRows?(part: Part): void
  progress: Progress
}

export interface Restored {
  about: About
  tables: number
  rows: number
  files: number
  missingFiles: number
}

export const restoreBackup = async (options: Options): Promise<Restored> => {
  // What is in the file is run as SQL, so all of it has to be authentic before.
  options.progress.begin('Checking the file')
  const archive = { ...options, kind: backupKind }
  await checkArchive(archive, options.progress)
  const { about, secrets, parts, end } = await openArchive<Secrets>(archive)
  options.acceptSecrets(secrets)
  const restored = await inRestore(options.databaseUrl, async (client) => {
    await requireEmpty(client)
    const counts = await restoreParts(client, parts, options)
    options.storeSecrets(secrets)
    return counts
  })
  return { about, ...restored, missingFiles: end().missingFiles }
}

const restoreParts = async (client: pg.Client, parts: AsyncGenerator<Part>, options: Options) => {
  const counts = { tables: 0, rows: 0, files: 0 }
  for await (const part of parts) {
    const [kind = '', ...rest] = part.header.name.split('/')
    options.progress.begin(part.header.name)
    if (kind === 'tables' || kind === 'rest') await runStatements(client, part)
    else if (kind === 'rows') {
      const counting = { ...part, content: counted(part.content, options.progress) as AsyncIterable<Buffer> }
      const rows = await fillTable(client, counting)
      counts.tables += 1
      counts.rows += rows
      options.onRows?.(part)
    } else if (kind === 'files') {
      await options.storeFile(rest.join('/'), counted(part.content, options.progress))
      counts.files += 1
    } else throw new StartError(`The backup has a part that this release doesn't know: ${part.header.name}.`)
  }
  return counts
}
