/** Moving an organization out of this installation and into it: what the commands give to the work, and what they say. */
import { openBlobStore } from '#kernel/blobs/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { requireSecrets, sealingKeys } from '#kernel/config/secrets.ts'
import { knownMigrations } from '../backup/installation.ts'
import { createProgress, inWords } from '../backup/progress.ts'
import type { Call } from '../command.ts'
import { withDatabase } from '../installation.ts'
import { releaseNumber } from '../version.ts'
import { exportOrganization } from './export-organization.ts'
import { importOrganization } from './import-organization.ts'

interface Work extends Pick<Call, 'env' | 'say' | 'note'> {
  path: string
  passphrase: string
}

export const saveOrganization = (
  { env, path, passphrase, say, note }: Work,
  asked: { organization: string; withPasswords: boolean },
): Promise<void> =>
  withDatabase(env, async ({ config, dataDir, databaseUrl }) => {
    // Its files declare what is sealed.
    await import('../../app.ts')
    const store = await openBlobStore(config, systemClock)
    try {
      const { name, people, rows, files, missing, leftRuns, unreadable, bytes } = await exportOrganization({
        ...asked,
        path,
        passphrase,
        databaseUrl,
        keys: sealingKeys(requireSecrets(dataDir, config), config),
        release: releaseNumber(),
        openFile: (key) => store.get(key),
        progress: createProgress(note),
      })
      if (missing.count > 0)
        note(`Warning: ${missing.count} files are named but not stored, such as ${missing.examples[0]}.`)
      if (unreadable > 0)
        note(`Warning: ${unreadable} secrets can't be decrypted with any key and must be entered again.`)
      if (leftRuns > 0) note(`${leftRuns} runs haven't ended and aren't in the file.`)
      say(`Saved ${name}: ${people} people, ${rows} rows and ${files} files in ${path} (${inWords(bytes)}).`)
    } finally {
      await store.close()
    }
  })

export const loadOrganization = ({ env, path, passphrase, say, note }: Work): Promise<void> =>
  withDatabase(env, async ({ config, dataDir, databaseUrl }) => {
    await import('../../app.ts')
    const store = await openBlobStore(config, systemClock)
    try {
      const { name, createdAt, people, rows, files, missingFiles, hasPasswords } = await importOrganization({
        path,
        passphrase,
        databaseUrl,
        known: knownMigrations(),
        store,
        key: requireSecrets(dataDir, config).SVC_SECRET_KEY,
        progress: createProgress(note),
      })
      if (missingFiles > 0) note(`${missingFiles} files were missing already when it was exported.`)
      say(`Imported ${name}: ${people} people, ${rows} rows and ${files} files, as of ${createdAt}.`)
      say('Its schedules, webhooks and event triggers are off, and its domains have to be verified again.')
      if (!hasPasswords) say('People without another way to sign in choose a password with "Forgot password?".')
    } finally {
      await store.close()
    }
  })
