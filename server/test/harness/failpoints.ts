/** A test's action at a named failpoint. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Failpoints } from '#kernel/failpoints.ts'
import { until } from '../kernel/until.ts'

export interface Victim extends Failpoints {
  /** Every failpoint reached so far. */
  readonly passed: ReadonlySet<string>
  readonly isDead: boolean
  /** The failpoints at which it threw since it was last revived. */
  readonly thrownAt: readonly string[]
  /** Dies when it reaches this failpoint for the n-th time. */
  dieAt(name: string, time?: number): void
  /** Dies now. */
  die(): void
  /** Works again, as after a restart. */
  revive(): void
}

/** A node that dies: from then on every failpoint throws, like a process that is gone. */
export const createVictim = (): Victim => {
  const passed = new Set<string>()
  let deadly: { name: string; left: number } | undefined
  let isDead = false
  let thrownAt: string[] = []
  return {
    passed,
    get thrownAt() {
      return thrownAt
    },
    get isDead() {
      return isDead
    },
    dieAt: (name, time = 1) => {
      deadly = { name, left: time }
    },
    die: () => {
      isDead = true
    },
    revive: () => {
      isDead = false
      deadly = undefined
      thrownAt = []
    },
    hit: (name) => {
      passed.add(name)
      if (deadly?.name === name) {
        deadly.left -= 1
        isDead ||= deadly.left === 0
      }
      if (!isDead) return
      thrownAt.push(name)
      throw new Error(`died at: ${name}`)
    },
  }
}

/** Those that live enter themselves again, and know at once that the dead ones are gone, instead of three seconds later. */
export const forgetDeadNodes = async (db: Db): Promise<void> => {
  await sql`delete from live_nodes`.execute(db)
  await sql`select pg_notify('chancery_signals', 'nodes nobody')`.execute(db)
}

const idleLooks = 5

/**
 * Waits until a dead node has come to rest, so that what it still had in hand isn't done when it is revived. A call or a
 * calculation in between takes less than these looks, of which each is a query itself.
 */
export const untilAtRest = (db: Db): Promise<void> =>
  until(async () => {
    for (let look = 0; look < idleLooks; look++) {
      if (await isDatabaseInUse(db)) return false
      await sleep(2)
    }
    return true
  }, 'the rest of a dead node')

const isDatabaseInUse = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
      and pid <> pg_backend_pid()`.execute(db)
  return rows.length > 0
}

/** Code that reaches the failpoint waits there until it is released. */
export const createGate = () => {
  let gate: { point: string; left: number; opened: Promise<void>; open(): void; isReached: boolean } | undefined
  return {
    hit: (point: string): void | Promise<void> => {
      if (point !== gate?.point) return
      gate.left -= 1
      if (gate.left > 0) return
      gate.isReached = true
      return gate.opened
    },
    /** When it is reached for the n-th time, and from then on. */
    holdAt: (point: string, time = 1): void => {
      const { promise: opened, resolve: open } = Promise.withResolvers<void>()
      gate = { point, left: time, opened, open, isReached: false }
    },
    isReached: (): boolean => gate?.isReached === true,
    letGo: (): void => {
      gate?.open()
      gate = undefined
    },
  }
}
