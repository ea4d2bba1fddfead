/**
 * Who follows which run. Changes on this node are told at once; other nodes hear of them together, a moment later and
 * outside of any transaction, since PostgreSQL commits those that notify one after the other. A word that gets lost costs
 * a follower one look.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'

const topic = 'runs'
const restMs = 50
/** A notification holds 8,000 bytes; of more runs than this only the fact is told. */
const mostNamed = 200
const anybody = '*'

export interface Changes {
  /** For those who look on. After the commit. */
  tell(runIds: readonly string[]): void
  /** The same for whoever works on the runs too: something came for them, or they were ended. */
  nudge(runIds: readonly string[]): void
  /** For what is done in a transaction of somebody else: told everywhere once that commits. */
  nudgeOnCommit(tx: Db, runIds: readonly string[]): Promise<void>
  /** There are runs to be taken up, and nobody here does so. */
  callWorkers(): void
  follow(runId: string, listener: () => void): () => void
  /** Told which runs were nudged here or changed elsewhere; undefined when any may have been. */
  onNudge(listener: (runIds: readonly string[] | undefined) => void): void
}

const nameAll = (runIds: readonly string[]): string =>
  runIds.length > mostNamed || runIds.includes(anybody) ? anybody : runIds.join(',')

export const createChanges = (
  { db, signals, tasks }: Pick<Kernel, 'db' | 'signals' | 'tasks'>,
  nodeId: string,
): Changes => {
  const followers = new Map<string, Set<() => void>>()
  const workers: ((runIds: readonly string[] | undefined) => void)[] = []
  let news = new Set<string>()
  let isTelling = false

  const tellHere = (runIds: Iterable<string>): void => {
    for (const runId of runIds) for (const listener of followers.get(runId) ?? []) listener()
  }
  const tellElsewhere = async (): Promise<void> => {
    try {
      while (news.size > 0) {
        const named = nameAll([...news])
        news = new Set()
        await signals.send(db, topic, `${nodeId} ${named}`)
        await sleep(restMs, undefined, { ref: false })
      }
    } finally {
      isTelling = false
    }
  }
  signals.on(topic, (value) => {
    const [from, named = anybody] = value?.split(' ') ?? []
    if (from === nodeId) return
    const runIds = named === anybody ? undefined : named.split(',')
    tellHere(runIds ?? followers.keys())
    for (const listener of workers) listener(runIds)
  })

  const tell = (runIds: readonly string[]): void => {
    tellHere(runIds)
    for (const runId of runIds) news.add(runId)
    if (isTelling || news.size === 0) return
    isTelling = true
    tasks.run('workflows.tell', tellElsewhere)
  }
  return {
    tell,
    nudge: (runIds) => {
      tell(runIds)
      for (const listener of workers) listener(runIds)
    },
    nudgeOnCommit: async (tx, runIds) => {
      if (runIds.length > 0) await signals.send(tx, topic, `everybody ${nameAll(runIds)}`)
    },
    callWorkers: () => tell([anybody]),
    follow: (runId, listener) => {
      const group = followers.get(runId) ?? new Set()
      followers.set(runId, group.add(listener))
      return () => {
        group.delete(listener)
        if (group.size === 0 && followers.get(runId) === group) followers.delete(runId)
      }
    },
    onNudge: (listener) => void workers.push(listener),
  }
}
