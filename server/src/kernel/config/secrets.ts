/**
 * Secrets that aren't set: generated on the first start and stored in the data folder, readable only by the owner.
 * Written once, by rename, so that a crash leaves either none or all of them.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseOwn } from '../json/parse-own.ts'
import { StartError } from '../process/start-error.ts'
import type { Config } from './config.ts'

const generated = ['JWT_SECRET', 'SVC_SECRET_KEY', 'ADMIN_SETUP_KEY'] as const
type SecretName = (typeof generated)[number]
type Generated = Readonly<Record<SecretName, string>>

export interface Secrets extends Generated {
  /** Former values of SVC_SECRET_KEY that came with a backup, beside those of the configuration. */
  previousKeys?: readonly string[]
}

/** What the file has. */
interface Kept extends Generated {
  SVC_SECRET_KEYS_PREVIOUS?: readonly string[]
}

const madeSecrets = (): Generated => ({
  JWT_SECRET: randomBytes(48).toString('base64url'),
  SVC_SECRET_KEY: randomBytes(32).toString('base64url'),
  ADMIN_SETUP_KEY: randomBytes(18).toString('base64url'),
})

const pathIn = (dataDir: string): string => join(dataDir, 'secrets.json')

export const loadSecrets = (dataDir: string, config: Config): Secrets => {
  const path = pathIn(dataDir)
  const found = readKept(path)
  const kept = { ...madeSecrets(), ...found }
  if (generated.some((name) => found[name] === undefined)) writeKept(path, kept)
  return {
    JWT_SECRET: config.JWT_SECRET ?? kept.JWT_SECRET,
    SVC_SECRET_KEY: config.SVC_SECRET_KEY ?? kept.SVC_SECRET_KEY,
    ADMIN_SETUP_KEY: config.ADMIN_SETUP_KEY ?? kept.ADMIN_SETUP_KEY,
    previousKeys: found.SVC_SECRET_KEYS_PREVIOUS ?? [],
  }
}

/** Those that a server uses already: other ones, made now, would decrypt nothing. */
export const requireSecrets = (dataDir: string, config: Config): Secrets => {
  const found = readKept(pathIn(dataDir))
  for (const name of ['JWT_SECRET', 'SVC_SECRET_KEY'] as const)
    if (config[name] === undefined && found[name] === undefined)
      throw new StartError(
        `${name} is neither set nor in ${pathIn(dataDir)}: use the environment and the data folder of the server.`,
      )
  return loadSecrets(dataDir, config)
}

/** For a sealer. */
export const sealingKeys = (
  { SVC_SECRET_KEY, previousKeys = [] }: Secrets,
  { SVC_SECRET_KEYS_PREVIOUS }: Pick<Config, 'SVC_SECRET_KEYS_PREVIOUS'>,
) => ({ current: SVC_SECRET_KEY, previous: [...SVC_SECRET_KEYS_PREVIOUS, ...previousKeys] })

/** Those of a backup. Refuses to replace others; the same may be there already. */
export const requireNoOtherSecrets = (dataDir: string, { previousKeys: _, ...secrets }: Secrets): void => {
  const found = readKept(pathIn(dataDir))
  if (generated.every((name) => found[name] === undefined || found[name] === secrets[name])) return
  throw new StartError(`${pathIn(dataDir)} has other secrets than the backup: restore into a new data folder.`)
}

export const storeSecrets = (dataDir: string, { previousKeys = [], ...secrets }: Secrets): void =>
  writeKept(pathIn(dataDir), {
    ...secrets,
    ...(previousKeys.length > 0 && { SVC_SECRET_KEYS_PREVIOUS: previousKeys }),
  })

/** A new key for what is encrypted from now on; the one that was is a former key until `forgetFormerKeys`. No server may run. */
export const renewSealingKey = (dataDir: string): void => {
  const kept = requireGenerated(pathIn(dataDir))
  const previous = [kept.SVC_SECRET_KEY, ...(kept.SVC_SECRET_KEYS_PREVIOUS ?? [])]
  writeKept(pathIn(dataDir), {
    ...kept,
    SVC_SECRET_KEY: madeSecrets().SVC_SECRET_KEY,
    SVC_SECRET_KEYS_PREVIOUS: previous,
  })
}

/** Answers whether there were any in the file. */
export const forgetFormerKeys = (dataDir: string): boolean => {
  const { SVC_SECRET_KEYS_PREVIOUS: previous = [], ...kept } = readKept(pathIn(dataDir))
  if (previous.length === 0) return false
  writeKept(pathIn(dataDir), kept)
  return true
}

const requireGenerated = (path: string): Kept => {
  const found = readKept(path)
  if (generated.every((name) => found[name] !== undefined)) return found as Kept
  throw new StartError(`${path} has no key of its own: use the environment and the data folder of the server.`)
}

const readKept = (path: string): Partial<Kept> => {
  let json: string
  try {
    json = readFileSync(path, 'utf8')
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new StartError(`The secrets file ${path} cannot be read: ${(problem as Error).message}.`)
  }
  try {
    return parseOwn(json) as Partial<Kept>
  } catch {
    throw new StartError(
      `The secrets file ${path} is damaged. Restore it from a backup; a new one would sign everybody out.`,
    )
  }
}

const writeKept = (path: string, kept: Partial<Kept>): void => {
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    const json = `${JSON.stringify(kept, null, 2)}\n`
    const temporary = `${path}.${process.pid}.tmp`
    writeFileSync(temporary, json, { mode: 0o600, flush: true })
    renameSync(temporary, path)
    chmodSync(path, 0o600)
  } catch (problem) {
    throw new StartError(`The data folder cannot be written: ${(problem as Error).message}.`)
  }
}
