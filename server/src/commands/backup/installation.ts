/** Backups of this installation: what the commands give to the work, and what they say about it. */
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBlobStore } from '#kernel/blobs/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { requireNoOtherSecrets, requireSecrets, type Secrets, storeSecrets } from '#kernel/config/secrets.ts'
import { readMigrations } from '#kernel/db/read-migrations.ts'
import { unfinishedRestore } from '#kernel/process/data-folder.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { Config } from '../../config/config.ts'
import type { Call } from '../command.ts'
import { type Installation, readInstallation, withDatabase, withNewDatabase } from '../installation.ts'
import { releaseNumber } from '../version.ts'
import { makeBackup } from './make-backup.ts'
import { createProgress, inWords } from './progress.ts'
import { type Restored, restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

interface Work extends Pick<Call, 'env' | 'say' | 'note'> {
  path: string
  passphrase: string
}

export const saveInstallation = ({ env, path, passphrase, say, note }: Work): Promise<void> =>
  withDatabase(env, async ({ config, dataDir, databaseUrl }) => {
    const store = await openBlobStore(config, systemClock)
    try {
      const { tables, rows, files, missing, bytes } = await makeBackup({
        path,
        passphrase,
        databaseUrl,
        secrets: secretsOf(dataDir, config),
        release: releaseNumber(),
        openFile: (key) => store.get(key),
        progress: createProgress(note),
      })
      if (missing.count > 0)
        note(
          `Warning: ${missing.count} files are named by the database but not stored, such as ${missing.examples[0]}.`,
        )
      say(`Saved ${rows} rows of ${tables} tables and ${files} files in ${path} (${inWords(bytes)}).`)
    } finally {
      await store.close()
    }
  })

/** With every key that a stored value may be encrypted with. */
const secretsOf = (dataDir: string, config: Config): Secrets => {
  const { previousKeys = [], ...secrets } = requireSecrets(dataDir, config)
  return { ...secrets, previousKeys: [...config.SVC_SECRET_KEYS_PREVIOUS, ...previousKeys] }
}

export const knownMigrations = (): Set<string> => {
  const folder = fileURLToPath(new URL('../../../migrations', import.meta.url))
  const { before, baseline, since } = readMigrations(folder)
  return new Set([...before, baseline, ...since].map(({ name }) => name))
}

export const restoreInstallation = ({ env, path, passphrase, say, note }: Work): Promise<void> =>
  withNewDatabase(env, async ({ config, dataDir, databaseUrl }) => {
    const mark = join(dataDir, unfinishedRestore)
    const hadFiles = existsSync(join(dataDir, 'blobs')) && !existsSync(mark)
    await writeFile(mark, `${path}\n`)
    const store = await openBlobStore(config, systemClock)
    try {
      const restored = await restoreBackup({
        path,
        passphrase,
        databaseUrl,
        known: knownMigrations(),
        storeFile: async (key, content) => void (await store.put(key, content)),
        acceptSecrets: (secrets) => requireUsable(secrets, { config, dataDir }),
        storeSecrets: (secrets) => storeSecrets(dataDir, secrets),
        progress: createProgress(note),
      })
      say(`Restored ${inWordsOf(restored)}. Start the server now.`)
      if (process.getuid?.() === 0)
        note('The data folder belongs to root now. If another user runs the server, give it to them (chown -R).')
    } catch (problem) {
      if (!hadFiles) await rm(join(dataDir, 'blobs'), { recursive: true, force: true })
      throw problem
    } finally {
      await store.close()
      await rm(mark, { force: true })
    }
  })

const requireUsable = (secrets: Secrets, { config, dataDir }: Pick<Installation, 'config' | 'dataDir'>): void => {
  requireNoOtherSecrets(dataDir, secrets)
  for (const name of ['SVC_SECRET_KEY', 'JWT_SECRET'] as const)
    if (config[name] !== undefined && config[name] !== secrets[name])
      throw new StartError(
        `${name} is set to another value than the one in the backup: leave it unset, and the backup's is stored in ${dataDir}.`,
      )
}

const inWordsOf = ({ about, tables, rows, files, missingFiles }: Restored): string => {
  const missing = missingFiles === 0 ? '' : ` (${missingFiles} files were missing already when it was made)`
  return `${rows} rows of ${tables} tables and ${files} files, as of ${about.createdAt}${missing}`
}

export const verifyFile = async ({ env, path, passphrase, say, note }: Work): Promise<void> => {
  const { dataDir, log } = readInstallation(env)
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  const restored = await verifyBackup({
    path,
    passphrase,
    known: knownMigrations(),
    besides: dataDir,
    log,
    progress: createProgress(note),
  })
  say(`The backup is good: ${inWordsOf(restored)}, made by Chancery ${restored.about.release}.`)
}
