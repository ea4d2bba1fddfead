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
export type Secrets = Readonly<Record<SecretName, string>>

const madeSecrets = (): Secrets => ({
  JWT_SECRET: randomBytes(48).toString('base64url'),
  SVC_SECRET_KEY: randomBytes(32).toString('base64url'),
  ADMIN_SETUP_KEY: randomBytes(18).toString('base64url'),
})

export const loadSecrets = (dataDir: string, config: Config): Secrets => {
  const path = join(dataDir, 'secrets.json')
  const found = readKept(path)
  const kept = { ...madeSecrets(), ...found }
  if (generated.some((name) => found[name] === undefined)) writeKept(path, kept)
  return {
    JWT_SECRET: config.JWT_SECRET ?? kept.JWT_SECRET,
    SVC_SECRET_KEY: config.SVC_SECRET_KEY ?? kept.SVC_SECRET_KEY,
    ADMIN_SETUP_KEY: config.ADMIN_SETUP_KEY ?? kept.ADMIN_SETUP_KEY,
  }
}

const readKept = (path: string): Partial<Secrets> => {
  let json: string
  try {
    json = readFileSync(path, 'utf8')
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new StartError(`The secrets file ${path} cannot be read: ${(problem as Error).message}.`)
  }
  try {
    return parseOwn(json) as Partial<Secrets>
  } catch {
    throw new StartError(
      `The secrets file ${path} is damaged. Restore it from a backup; a new one would sign everybody out.`,
    )
  }
}

const writeKept = (path: string, kept: Secrets): void => {
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
