/**
 * Keeps a job that ends its server from ending every server: after the second time it is tried alone, so that the
 * jobs that only were there aren't blamed, and after the third it is held back until a platform admin releases it.
 */

import type { Db } from '../db/database.ts'
import { endedTheServer, type HeldBack, maxClaims } from '../held-back/held-back.ts'
import type { Log } from '../log.ts'
import { createConcurrencyLimit } from '../turns/concurrency-limit.ts'
import {
  countLastAttempt,
  countLetter,
  deleteLetter,
  findDeaths,
  forgetDeaths,
  forgetSuspicion,
  isTriedElsewhere,
  lockUncountedLetters,
  markBegun,
  markWaiting,
  type WorkKey,
  workKeyOf,
} from './deaths.ts'
import { ClaimedElsewhere, type JobDefinition } from './job.ts'

interface Attempted {
  id: string
  data: object
  /** Attempts before this one. */
  retryCount: number
}

export interface HoldDeadly {
  /** Does the work unless it is held back; false when it is. */
  attempt(definition: JobDefinition, job: Attempted, work: () => Promise<void>): Promise<boolean>
  /** Work whose last attempt ended with its server is among the dead letters, uncounted. */
  countDeadLetters(): Promise<void>
}

interface Needs {
  db: Db
  heldBack: HeldBack
  log: Log
  definitions: ReadonlyMap<string, JobDefinition>
  /** Puts released work back into its queue. */
  enqueue(tx: Db, definition: JobDefinition, work: { data: object; singletonKey: string | null }): Promise<void>
}

const kind = 'job'
const aloneAfter = 2

const idOf = ({ job, digest }: WorkKey): string => `${job}:${digest}`
const keyOf = (id: string): WorkKey => {
  const at = id.lastIndexOf(':')
  return { job: id.slice(0, at), digest: id.slice(at + 1) }
}

export const createHoldDeadly = (needs: Needs): HoldDeadly => {
  const { db, log, definitions } = needs
  const alone = createConcurrencyLimit(1)
  registerKind(needs)

  const hold = async (tx: Db, key: WorkKey, { data, deaths }: { data: object; deaths: number }): Promise<void> => {
    const definition = definitions.get(key.job)
    const { what, scopeId } = await describe(needs, definition, data)
    const row = { kind, id: idOf(key), what, scopeId, claims: deaths, reason: endedTheServer }
    await needs.heldBack.record(tx, row)
    await definition?.held?.hold?.(tx, data)
    log.error({ job: key.job, heldBack: idOf(key), deaths }, 'A job ended the server three times and is held back.')
  }

  /** Copies of the work go one after the other: several that die with one server would count as several deaths. */
  const runSuspected = async (key: WorkKey, id: string, work: () => Promise<void>): Promise<void> => {
    if (await isTriedElsewhere(db, key, id)) throw new Error('The same work is being tried by another job.')
    await markBegun(db, key, id)
    try {
      await work()
    } catch (problem) {
      if (!(problem instanceof ClaimedElsewhere)) await forgetSuspicion(db, key)
      throw problem
    }
    // It ended by itself, and this server is still there; a failure is no death either.
    await forgetSuspicion(db, key)
  }

  const runAlone = async (key: WorkKey, id: string, work: () => Promise<void>): Promise<void> => {
    await markWaiting(db, key, id)
    await alone(() => runSuspected(key, id, work))
  }

  return {
    async attempt(definition, { id, data, retryCount }, work) {
      const key = workKeyOf(definition.name, data)
      if (retryCount > 0) await countLastAttempt(db, key, id)
      const deaths = await findDeaths(db, key)
      if (deaths >= maxClaims) {
        await db.transaction().execute((tx) => hold(tx, key, { data, deaths }))
        return false
      }
      if (deaths === 0) await work()
      else if (deaths < aloneAfter) await runSuspected(key, id, work)
      else await runAlone(key, id, work)
      return true
    },
    countDeadLetters: () =>
      db.transaction().execute(async (tx) => {
        for (const letter of await lockUncountedLetters(tx)) {
          const deaths = await countLetter(tx, letter)
          if (deaths < maxClaims) continue
          await hold(tx, workKeyOf(letter.job, letter.data), { data: letter.data, deaths })
          await deleteLetter(tx, letter.letterId)
        }
      }),
  }
}

/** Its own words about the work; where they can't be had, the job's name says enough. */
const describe = async ({ db, log }: Needs, definition: JobDefinition | undefined, data: object) => {
  try {
    const words = await definition?.held?.describe(db, data)
    if (words) return words
  } catch (problem) {
    log.warn({ err: problem, job: definition?.name }, 'Held back work could not be described.')
  }
  return { what: definition?.name ?? 'A job of an earlier release', scopeId: null }
}

const registerKind = ({ heldBack, definitions, enqueue }: Needs): void =>
  heldBack.register(kind, {
    async release(tx, id) {
      const work = await forgetDeaths(tx, keyOf(id))
      const definition = definitions.get(keyOf(id).job)
      if (!work || !definition) return
      await definition.held?.release?.(tx, work.data)
      await enqueue(tx, definition, work)
    },
    async remove(tx, id) {
      await forgetDeaths(tx, keyOf(id))
    },
    // Its schedule would bring it back.
    canRemove: (id) => definitions.get(keyOf(id).job)?.timetable === undefined,
  })
