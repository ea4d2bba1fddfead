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

/** Answers whether nothing failed. */
export const examine = async (installation: Installation, say: (line: string) => void): Promise<boolean> => {
  let isWell = true
  for (const check of [dataFolder, disk, database, pooler, files, redis, mail, dns, address, proxyHeaders]) {
    const finding = await answer(check, installation)
    say(lineOf(check.name, finding))
    if (finding.state === 'failed') isWell = false
  }
  return isWell
}
