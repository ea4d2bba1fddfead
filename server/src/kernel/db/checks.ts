/**
 * What a node asks the database again and again: is anything due, has anything changed? All questions go into one
 * statement once a second, so an idle server asks once a second, however many modules wait for something.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tasks } from '../tasks.ts'
import type { Db } from './database.ts'
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
}

interface Options {
  db: Db
  tasks: Pick<Tasks, 'every' | 'run'>
  signal: AbortSignal
  everyMs?: number
}

export const createChecks = ({ db, tasks, signal, everyMs = 1000 }: Options): Checks => {
  const checks = new Set<Check>()
  const acting = new Set<Check>()

  const start = (check: Check): void => {
    acting.add(check)
    tasks.run(check.name, async () => {
      try {
        await check.act()
      } finally {
        acting.delete(check)
      }
    })
  }
  tasks.every('database.checks', { everyMs, signal }, async () => {
    const asked = [...checks]
    if (asked.length === 0) return
    const answers = await ask(
      db,
      asked.map(({ question }) => question()),
    )
    // A check that was removed meanwhile belongs to a module that is stopping.
    const isTrue = (check: Check, index: number): boolean => answers[index] === true && checks.has(check)
    for (const check of asked.filter(isTrue)) if (!acting.has(check)) start(check)
  })
  return {
    add: (check, until) => {
      if (until.aborted) return
      checks.add(check)
      until.addEventListener('abort', () => checks.delete(check), { once: true })
    },
  }
}

const ask = async (db: Db, questions: readonly RawBuilder<boolean>[]): Promise<readonly boolean[]> => {
  const { rows } = await sql<{ answers: boolean[] }>`${sql.raw(preparedMark)}
    select array[${sql.join(questions)}]::boolean[] as answers`.execute(db)
  return rows[0]?.answers ?? []
}
