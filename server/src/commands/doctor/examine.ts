/** All checks of `chancery doctor`, one line each. */
import type { Installation } from '../installation.ts'
import { answer, type Finding } from './check.ts'
import { database } from './database.ts'
import { dataFolder, disk } from './machine.ts'
import { files, mail, proxy, redis } from './services.ts'

const marks: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARN', failed: 'FAIL', unused: '-' }

/** Answers whether nothing failed. */
export const examine = async (installation: Installation, say: (line: string) => void): Promise<boolean> => {
  let isWell = true
  for (const check of [dataFolder, disk, database, files, redis, mail, proxy]) {
    const { state, what } = await answer(check, installation)
    say(`${marks[state].padEnd(5)}${check.name}: ${what}`)
    if (state === 'failed') isWell = false
  }
  return isWell
}
