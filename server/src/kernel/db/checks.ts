/**
 * Questions that a node asks the database again and again: is anything due, has anything changed? All go into one
 * statement once a second, so an idle server asks once a second, however many modules wait for something. Where one of
 * them fails or waits for a lock, each is asked on its own, and the others still get their answer.
 */
import { type RawBuilder, sql } from 'kysely'
import { endsWithin } from '../ends-within.ts'
import type { Tasks } from '../tasks.ts'
import type { Db } from './database.ts'
import { isDatabaseUnavailable } from './failures.ts'
import { preparedMark } from './name-prepared.ts'

export interface Check {
  /** As the work is called in logs and failure counts. */
  name: string
  /** A cheap SQL expression. Only its parameters may change: the statement is prepared. */
  question(): RawBuilder<boolean>
  /** Runs when the answer is true, unless it is still running. Other checks don't wait for it. */
  act(): Promise<unknown>
}

export interface Checks {
  /** Asks until the signal aborts, first after a second. */
  add(check: Check, signal: AbortSignal): void
  /** Asks at once instead of within a second, because the time was moved. */
  askNow(): void
}

interface Options {
  db: Db
  tasks: Pick<Tasks, 'every' | 'run'>
  signal: AbortSignal
  everyMs?: number
  /** The questions are asked one by one when the common statement takes longer. */
  patienceMs?: number
}

export const createChecks = ({ db, tasks, signal, everyMs = 1000, patienceMs = 3000 }: Options): Checks => {
  const checks = new Set<Check>()
  const acting = new Set<Check>()
  /** Left out of the common statement until their own has ended, so they hold up nothing and pile up no statements. */
  const askedAlone = new Set<Check>()

  const start = (check: Check): void => {
    // A check that was removed meanwhile belongs to a module that is stopping.
    if (acting.has(check) || !checks.has(check)) return
    acting.add(check)
    tasks.run(check.name, async () => {
      try {
        await check.act()
      } finally {
        acting.delete(check)
      }
    })
  }
  const askAlone = (check: Check): void => {
    askedAlone.add(check)
    tasks.run(check.name, async () => {
      try {
        const [isTrue] = await ask(db, [check])
        if (isTrue) start(check)
      } finally {
        askedAlone.delete(check)
      }
    })
  }
  const askAll = async (): Promise<void> => {
    const asked = [...checks].filter((check) => !askedAlone.has(check))
    if (asked.length === 0) return
    const answers = await answersWithin(ask(db, asked), patienceMs)
    for (const [index, check] of asked.entries())
      if (!answers) askAlone(check)
      else if (answers[index]) start(check)
  }
  tasks.every('database.checks', { everyMs, signal }, askAll)
  return {
    add: (check, until) => {
      if (until.aborted) return
      checks.add(check)
      until.addEventListener('abort', () => checks.delete(check), { once: true })
    },
    askNow: () => {
      if (!signal.aborted) tasks.run('database.checks', askAll)
    },
  }
}

const ask = async (db: Db, checks: readonly Check[]): Promise<readonly boolean[]> => {
  const questions = checks.map(({ question }) => question())
  const { rows } = await sql<{ answers: boolean[] }>`${sql.raw(preparedMark)}
    select array[${sql.join(questions)}]::boolean[] as answers`.execute(db)
  return rows[0]?.answers ?? []
}

/** Undefined: one of the questions waits or fails. The statement is left to end by itself. */
const answersWithin = async (
  asking: Promise<readonly boolean[]>,
  ms: number,
): Promise<readonly boolean[] | undefined> => {
  try {
    return (await endsWithin(asking, ms)) ? await asking : undefined
  } catch (problem) {
    if (isDatabaseUnavailable(problem)) throw problem
    return undefined
  }
}
