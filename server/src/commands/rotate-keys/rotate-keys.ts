/**
 * Everything that a former key encrypted is encrypted with the current one, beside running servers or without any. Each
 * value is replaced by itself, so an interruption leaves some done and the rest readable with the former key, which counts
 * until nothing is left. A server that didn't know the current key could read nothing that was done: then nothing is begun.
 */
import pg from 'pg'
import { forgetFormerKeys, renewSealingKey, requireSecrets, sealingKeys } from '#kernel/config/secrets.ts'
import { storedSeals } from '#kernel/crypto/seal-context.ts'
import { createSealer, type Sealer } from '#kernel/crypto/sealer.ts'
import { connectionLimits } from '#kernel/db/connection-limits.ts'
import { takeInstanceLock } from '#kernel/process/instance-lock.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { Call } from '../command.ts'
import { type Installation, readInstallation, withDatabaseOf } from '../installation.ts'
import { type Pass, resealTable } from './reseal-table.ts'

interface Work extends Pick<Call, 'env' | 'say' | 'note'> {
  /** Makes the new key too, where it is in the data folder. */
  isNew: boolean
}

export const rotateKeys = async ({ env, isNew, say, note }: Work): Promise<void> => {
  const installation = readInstallation(env)
  const { config, dataDir } = installation
  if (isNew) await makeNewKey(installation)
  const sealer = createSealer(sealingKeys(requireSecrets(dataDir, config), config))
  await withDatabaseOf(installation, async ({ databaseUrl }) => {
    const { resealed, unreadable, example } = await resealAll({ config, databaseUrl, sealer, note })
    say(`Encrypted ${resealed} values again.`)
    if (unreadable > 0)
      note(
        `Warning: ${unreadable} values can't be decrypted with any key that is set and stay as they are, such as ${example}. If there was another key, add it to SVC_SECRET_KEYS_PREVIOUS and run this again.`,
      )
    if (forgetFormerKeys(dataDir)) say(`The former keys are gone from ${dataDir}/secrets.json.`)
    if (config.SVC_SECRET_KEYS_PREVIOUS.length > 0)
      say('Nothing needs SVC_SECRET_KEYS_PREVIOUS any more: remove it and restart the servers.')
  })
}

const makeNewKey = async ({ config, dataDir }: Installation): Promise<void> => {
  if (config.SVC_SECRET_KEY !== undefined)
    throw new StartError(
      'SVC_SECRET_KEY is set: set it to a new value yourself, with the old one in SVC_SECRET_KEYS_PREVIOUS, restart all servers, and run rotate-keys without --new.',
    )
  const lock = await takeInstanceLock(dataDir)
  try {
    renewSealingKey(dataDir)
  } finally {
    await lock.release()
  }
}

interface Resealing extends Pick<Installation, 'config'> {
  databaseUrl: string
  sealer: Sealer
  note(line: string): void
}

/** A server that has the former key as its current one goes on writing with it, so this doesn't go on for ever. */
const mostPasses = 5

export const resealAll = async ({ databaseUrl, ...work }: Resealing): Promise<Pass> => {
  // Their files declare what is stored.
  await import('../../app.ts')
  const client = new pg.Client({ connectionString: databaseUrl, ...connectionLimits.work, keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set statement_timeout = 0; set chancery.rotating_keys = 'on'`)
    await requireReaders(client, work.sealer)
    let resealed = 0
    for (let count = 1; count <= mostPasses; count += 1) {
      const pass = await resealOnce(client, { ...work, before: resealed })
      resealed += pass.resealed
      if (pass.resealed + pass.missed === 0) return { ...pass, resealed }
    }
  } finally {
    await client.end().catch(() => undefined)
  }
  throw new StartError(
    'A server still encrypts with a former key: restart every server with the new SVC_SECRET_KEY, then run this again.',
  )
}

const requireReaders = async (client: pg.Client, { keyIds: [current = ''] }: Sealer): Promise<void> => {
  const { rowCount } = await client.query(
    `select from live_nodes where seen_at > statement_timestamp() - interval '3 seconds' and not $1 = any(opens)`,
    [current],
  )
  if (rowCount === 0) return
  throw new StartError(
    `${rowCount} running server processes don't have the current SVC_SECRET_KEY: restart them with it, and with the old one in SVC_SECRET_KEYS_PREVIOUS. Nothing was changed.`,
  )
}

interface Passing extends Omit<Resealing, 'databaseUrl'> {
  before: number
}

const everyMs = 5000

const resealOnce = async (client: pg.Client, { config, sealer, note, before }: Passing): Promise<Pass> => {
  const total: Pass = { resealed: 0, unreadable: 0, missed: 0 }
  let saidMs = performance.now()
  const variables = config as unknown as Record<string, unknown>
  for (const seal of storedSeals()) {
    if (seal.keyVariable !== undefined && variables[seal.keyVariable] !== undefined) continue
    const pass = await resealTable(client, { sealer, seal }, ({ resealed }) => {
      if (performance.now() - saidMs < everyMs) return
      saidMs = performance.now()
      note(`Table ${seal.table}; ${before + total.resealed + resealed} values so far`)
    })
    total.resealed += pass.resealed
    total.unreadable += pass.unreadable
    total.missed += pass.missed
    if (pass.example !== undefined) total.example ??= pass.example
  }
  return total
}
