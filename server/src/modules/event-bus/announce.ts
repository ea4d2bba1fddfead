/**
 * Tells other nodes that events were published: of each lane the one that dispatches it first, and those where somebody
 * follows the stream. Outside the publishers' transactions, because PostgreSQL commits transactions with a NOTIFY one after
 * the other; and once for many events. A lost signal costs one check.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kernel } from '#kernel/kernel.ts'
import { nodeOfLane } from './lanes.ts'

/** Heard where somebody follows the stream. */
export const publishedTopic = 'events'
const pauseMs = 50

/** What is published and where: lanes, or any. */
type Published = Set<number> | 'any'

const everyone = ''

export const createAnnouncer = ({ db, nodes, signals, tasks }: Pick<Kernel, 'db' | 'nodes' | 'signals' | 'tasks'>) => {
  let isSending = false
  let pending = new Map<string, Published>()

  const sendAll = async (): Promise<void> => {
    const all = [...pending].map(([to, lanes]) => ({ to, topic: publishedTopic, value: textOf(nodes.id, lanes) }))
    pending = new Map()
    const [known, unknown] = [all.filter(({ to }) => to !== everyone), all.find(({ to }) => to === everyone)]
    if (unknown) await signals.send(db, publishedTopic, unknown.value)
    else await signals.sendTo(db, known)
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
  const add = (node: string | undefined, lanes: readonly number[] | 'any'): void => {
    if (node === nodes.id) return
    const to = node ?? everyone
    const before = pending.get(to) ?? new Set()
    pending.set(to, lanes === 'any' || before === 'any' ? 'any' : new Set([...before, ...lanes]))
  }
  return {
    /** Events of these lanes; or of any, for a node that doesn't look for them itself. */
    announce: (lanes: readonly number[] | 'any'): void => {
      const workers = nodes.workers()
      if (lanes === 'any') for (const node of workers.length > 0 ? workers : [undefined]) add(node, 'any')
      else for (const lane of lanes) add(nodeOfLane(lane, workers), [lane])
      for (const node of nodes.hearing(publishedTopic)) add(node, [])
      if (isSending || pending.size === 0) return
      isSending = true
      tasks.run('events.announce', send)
    },
    /** Called when another node published, or may have: in lanes that this one is to dispatch, or in any. */
    onPublishedElsewhere: (listener: (lanes?: readonly number[]) => void): void =>
      signals.on(publishedTopic, (text) => {
        const [from, some] = text?.split(' ') ?? []
        if (from !== nodes.id) listener(some === undefined ? undefined : lanesIn(some))
      }),
  }
}

const textOf = (from: string, lanes: Published): string => (lanes === 'any' ? from : `${from} ${[...lanes].join()}`)

const lanesIn = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number))
