/** All checks of `chancery doctor`, one line each. */
import type { Installation } from '../installation.ts'
import { address, dns, proxyHeaders } from './address.ts'
import { answer, type Check, type Finding } from './check.ts'
import { database, pooler } from './database.ts'
import { dataFolder, disk } from './machine.ts'
import { files, mail, redis } from './services.ts'

const marks: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARN', failed: 'FAIL', unused: '-' }

const lineOf = (name: string, { state, what }: Finding): string => `${marks[state].padEnd(5)}${name}: ${what}`

export const answerLine = async (check: Check, installation: Installation): Promise<string> =>
  lineOf(check.name, await answer(check, installation))

/** Answers whether nothing failed. All are asked together, so that several that are silent take no longer than one. */
export const examine = async (installation: Installation, say: (line: string) => void): Promise<boolean> => {
  const checks = [dataFolder, disk, database, pooler, files, redis, mail, dns, address, proxyHeaders]
  const answers = checks.map((check) => ({ name: check.name, finding: answer(check, installation) }))
  let isWell = true
  for (const { name, finding } of answers) {
    const found = await finding
    say(lineOf(name, found))
    if (found.state === 'failed') isWell = false
  }
  return isWell
}
