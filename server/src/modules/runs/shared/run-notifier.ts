/**
 * Tells of runs: of changes those who follow them, of what arrived for them the node that holds them, and of runs to claim
 * one node that has time for them. On this node at once, on others together a moment later and outside of any transaction,
 * since PostgreSQL commits transactions that notify one after the other. A lost notification costs a follower one poll,
 * and a run one check.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'

const topic = 'runs'
const pauseMs = 50
/** A notification holds 8,000 bytes; for more runs than this only the fact is sent. */
const maxNamed = 200
const anyRun = '*'

/** Undefined when it may have been any. */
type RunsListener = (runIds: readonly string[] | undefined) => void

export interface RunNotifier {
  /** For followers. After the commit. */
  notify(runIds: readonly string[]): void
  /** For followers and for the nodes that hold the runs: something arrived for them, or they were ended. */
  nudge(runIds: readonly string[]): void
  /** For changes in another module's transaction: sent everywhere once that commits. */
  nudgeOnCommit(tx: Db, runIds: readonly string[]): Promise<void>
  /** There are runs to claim that this node has no room for, or it doesn't claim any. */
  wakeOthers(): void
  follow(runId: string, listener: () => void): () => void
  /** Called with the runs that were nudged here or elsewhere. */
  onNudge(listener: RunsListener): void
  /** Called when there may be runs for this node to claim. */
  onDue(listener: () => void): void
  /** Called with the runs that changed, here or, while it is wanted, elsewhere. Must be cheap. */
  onChange(listener: RunsListener, isWanted: () => boolean): void
}

/** Of a message: some changed; something arrived for some; some are to be claimed. */
type Kind = 'changed' | 'nudged' | 'due'

const nameAll = (runIds: readonly string[]): string =>
  runIds.length > maxNamed || runIds.includes(anyRun) ? anyRun : runIds.join(',')

const createFollowers = () => {
  const followers = new Map<string, Set<() => void>>()
  return {
    ids: () => followers.keys(),
    count: () => followers.size,
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

/** What is sent to other nodes, by node; the empty name is all of them. */
const createOutbox = ({ db, nodes, signals, tasks }: Needs) => {
  const pending = new Map<string, Map<Kind, Set<string>>>()
  let isSending = false

  const sendAll = async (): Promise<void> => {
    const all = [...pending].flatMap(([to, kinds]) =>
      [...kinds].map(([kind, ids]) => ({ to, topic, value: `${nodes.id} ${nameAll([...ids])} ${kind}` })),
    )
    pending.clear()
    for (const { to, value } of all) if (to === '') await signals.send(db, topic, value)
    const single = all.filter(({ to }) => to !== '')
    if (single.length > 0) await signals.sendTo(db, single)
  }
  const send = async (): Promise<void> => {
    try {
      while (pending.size > 0) {
        await sendAll()
        await sleep(pauseMs, undefined, { ref: false })
      }
    } finally {
      isSending = false
    }
  }
  return (to: string, kind: Kind, runIds: readonly string[]): void => {
    if (runIds.length === 0) return
    const kinds = pending.get(to) ?? new Map<Kind, Set<string>>()
    const ids = kinds.get(kind) ?? new Set()
    for (const runId of runIds) ids.add(runId)
    pending.set(to, kinds.set(kind, ids))
    if (isSending) return
    isSending = true
    tasks.run('workflows.notify', send)
  }
}

type Needs = Pick<Kernel, 'db' | 'nodes' | 'signals' | 'tasks'>

const everyone = ''
/** Sender of what belongs to another module's transaction. */
const otherModule = 'everybody'

export const createRunNotifier = (kernel: Needs): RunNotifier => {
  const { nodes, signals } = kernel
  const followers = createFollowers()
  const nudgeListeners: RunsListener[] = []
  const dueListeners: (() => void)[] = []
  const changeListeners: { listener: RunsListener; isWanted: () => boolean }[] = []
  const post = createOutbox(kernel)

  const changed = (runIds: readonly string[] | undefined): void => {
    followers.call(runIds ?? followers.ids())
    for (const { listener } of changeListeners) listener(runIds)
  }
  const due = (): void => {
    for (const listener of dueListeners) listener()
  }
  const isWorking = (): boolean => nodes.workers().includes(nodes.id)
  /** Of those that work, the same one for everybody, so that only this one claims it. */
  const isMine = (runId: string): boolean => {
    const workers = nodes.workers()
    return workers[Number.parseInt(runId.slice(-4), 16) % workers.length] === nodes.id
  }
  nodes.hear(topic, {
    isWanted: () => followers.count() > 0 || changeListeners.some(({ isWanted }) => isWanted()),
    onBegin: () => changed(undefined),
  })
  signals.on(topic, (value) => {
    const [from, named = anyRun, kind = 'nudged'] = value?.split(' ') ?? []
    if (from === nodes.id) return
    if (kind === 'due') return due()
    const runIds = named === anyRun ? undefined : named.split(',')
    changed(runIds)
    if (kind === 'changed') return
    for (const listener of nudgeListeners) listener(runIds)
    // Who nudged claims them itself, unless it happened in another module's transaction.
    if (from === undefined || (from === otherModule && (runIds === undefined || runIds.some(isMine)))) due()
  })

  const wakeOthers = (): void => {
    const others = nodes.workers().filter((id) => id !== nodes.id)
    if (isWorking()) for (const id of others) post(id, 'due', [anyRun])
    // One has room, or a check finds it.
    else post(others[Math.floor(Math.random() * others.length)] ?? everyone, 'due', [anyRun])
  }
  const notify = (runIds: readonly string[]): void => {
    changed(runIds)
    for (const id of nodes.hearing(topic)) post(id, 'changed', runIds)
  }
  return {
    notify,
    nudge: (runIds) => {
      changed(runIds)
      post(everyone, 'nudged', runIds)
      for (const listener of nudgeListeners) listener(runIds)
      if (isWorking()) due()
      else wakeOthers()
    },
    nudgeOnCommit: async (tx, runIds) => {
      if (runIds.length > 0) await signals.send(tx, topic, `${otherModule} ${nameAll(runIds)}`)
    },
    wakeOthers,
    follow: (runId, listener) => {
      const unfollow = followers.add(runId, listener)
      if (followers.count() === 1) nodes.renew()
      return unfollow
    },
    onNudge: (listener) => void nudgeListeners.push(listener),
    onDue: (listener) => void dueListeners.push(listener),
    onChange: (listener, isWanted) => void changeListeners.push({ listener, isWanted }),
  }
}
