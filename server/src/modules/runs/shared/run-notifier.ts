/**
 * Tells followers and holders of runs that something changed: on this node at once, on other nodes together a moment
 * later and outside of any transaction, since PostgreSQL commits transactions that notify one after the other. A lost
 * notification costs a follower one poll.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'

const topic = 'runs'
const pauseMs = 50
/** A notification holds 8,000 bytes; for more runs than this only the fact is sent. */
const maxNamed = 200
const anyRun = '*'

type NudgeListener = (runIds: readonly string[] | undefined) => void

export interface RunNotifier {
  /** For followers. After the commit. */
  notify(runIds: readonly string[]): void
  /** For followers and for the nodes that hold the runs: something arrived for them, or they were ended. */
  nudge(runIds: readonly string[]): void
  /** For changes in another module's transaction: sent everywhere once that commits. */
  nudgeOnCommit(tx: Db, runIds: readonly string[]): Promise<void>
  /** There are runs to claim, and this node doesn't claim any. */
  wakeWorkers(): void
  follow(runId: string, listener: () => void): () => void
  /** Called with the runs that were nudged here or changed elsewhere; undefined when any may have been. */
  onNudge(listener: NudgeListener): void
  /** Called with the runs that changed, here or elsewhere; undefined when any may have. Must be cheap. */
  onChange(listener: NudgeListener): void
}

const nameAll = (runIds: readonly string[]): string =>
  runIds.length > maxNamed || runIds.includes(anyRun) ? anyRun : runIds.join(',')

const createFollowers = () => {
  const followers = new Map<string, Set<() => void>>()
  return {
    ids: () => followers.keys(),
    call: (runIds: Iterable<string>): void => {
      for (const runId of runIds) for (const listener of followers.get(runId) ?? []) listener()
    },
    add: (runId: string, listener: () => void) => {
      const group = followers.get(runId) ?? new Set()
      followers.set(runId, group.add(listener))
      return () => {
        group.delete(listener)
        if (group.size === 0 && followers.get(runId) === group) followers.delete(runId)
      }
    },
  }
}

export const createRunNotifier = (
  { db, signals, tasks }: Pick<Kernel, 'db' | 'signals' | 'tasks'>,
  nodeId: string,
): RunNotifier => {
  const followers = createFollowers()
  const nudgeListeners: NudgeListener[] = []
  const changeListeners: NudgeListener[] = []
  let pending = new Set<string>()
  let isSending = false

  const sendToOthers = async (): Promise<void> => {
    try {
      while (pending.size > 0) {
        const named = nameAll([...pending])
        pending = new Set()
        await signals.send(db, topic, `${nodeId} ${named}`)
        await sleep(pauseMs, undefined, { ref: false })
      }
    } finally {
      isSending = false
    }
  }
  signals.on(topic, (value) => {
    const [from, named = anyRun] = value?.split(' ') ?? []
    if (from === nodeId) return
    const runIds = named === anyRun ? undefined : named.split(',')
    followers.call(runIds ?? followers.ids())
    for (const listener of nudgeListeners) listener(runIds)
    for (const listener of changeListeners) listener(runIds)
  })

  const notify = (runIds: readonly string[]): void => {
    followers.call(runIds)
    for (const listener of changeListeners) listener(runIds.filter((runId) => runId !== anyRun))
    for (const runId of runIds) pending.add(runId)
    if (isSending || pending.size === 0) return
    isSending = true
    tasks.run('workflows.notify', sendToOthers)
  }
  return {
    notify,
    nudge: (runIds) => {
      notify(runIds)
      for (const listener of nudgeListeners) listener(runIds)
    },
    nudgeOnCommit: async (tx, runIds) => {
      if (runIds.length > 0) await signals.send(tx, topic, `everybody ${nameAll(runIds)}`)
    },
    wakeWorkers: () => notify([anyRun]),
    follow: followers.add,
    onNudge: (listener) => void nudgeListeners.push(listener),
    onChange: (listener) => void changeListeners.push(listener),
  }
}
