/**
 * The nodes that are alive: each renews a row every second. Work that any node may do has one that does it first, so that
 * only this one is woken, and what nobody follows is told to nobody. Nothing is right because of it: nodes may disagree about
 * each other for seconds, locks and leases decide, and what nobody was woken for is found by the checks of every second.
 */
import type { Db } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import type { Signals } from '../db/signals.ts'
import { type Failpoints, noFailpoints } from '../failpoints.ts'
import type { Tasks } from '../tasks.ts'
import { createWakeableLoop, type WakeableLoop } from '../wakeable-loop.ts'
import { type LiveNode, renewNodeUnscoped } from './queries.ts'

const renewEveryMs = 1000
/** Others read what a node hears this long after they are told to. */
const knownAfterMs = 300
const topic = 'nodes'

export interface Nodes {
  /** This process. */
  readonly id: string
  /** It works on events and runs from now on, until the signal aborts. */
  join(signal: AbortSignal): void
  /** Those that work, in the same order on all nodes. */
  workers(): readonly string[]
  /**
   * This node wants to be told of a topic while this is true, which is asked at every renewal. `onBegin` is called when the
   * others know: what came before that was not told.
   */
  hear(topic: string, wish: Wish): void
  /** Other nodes that want to be told of it. */
  hearing(topic: string): readonly string[]
  /** Renews now, because what this node hears has changed. */
  renew(): void
  /** Called when workers have come or gone. */
  onChange(listener: () => void): void
  start(signal: AbortSignal): void
}

interface Wish {
  isWanted(): boolean
  onBegin(): void
}

interface Options {
  db: Db
  id: string
  failpoints?: Failpoints
  /** The ids of its encryption keys. */
  keyIds?: readonly string[]
  signals: Signals
  tasks: Pick<Tasks, 'every' | 'run'>
}

export const createNodes = ({ db, id, failpoints = noFailpoints, keyIds = [], signals, tasks }: Options): Nodes => {
  const listeners: (() => void)[] = []
  const wishes = new Map<string, Wish>()
  let others: readonly LiveNode[] = []
  let works = false
  let told: Omit<LiveNode, 'id'> = { works: false, hears: [] }
  let renewing: Promise<void> = Promise.resolve()
  let loop: WakeableLoop | undefined

  const workingOf = (nodes: readonly LiveNode[]): string[] => nodes.flatMap((node) => (node.works ? [node.id] : []))
  const tell = async (own: LiveNode): Promise<void> => {
    const begun = own.hears.filter((name) => !told.hears.includes(name))
    if (own.works === told.works && own.hears.join() === told.hears.join()) return
    await signals.send(db, topic, id)
    told = own
    const begin = (): void => {
      for (const name of begun) wishes.get(name)?.onBegin()
    }
    if (begun.length > 0 && others.length > 0) setTimeout(begin, knownAfterMs).unref()
  }
  const renewOnce = async (): Promise<void> => {
    const hears = [...wishes].flatMap(([name, { isWanted }]) => (isWanted() ? [name] : []))
    const own = { id, works, hears }
    const before = workingOf(others).join()
    await failpoints.hit('nodes: renew')
    others = await renewNodeUnscoped(db, { ...own, opens: keyIds })
    await tell(own)
    if (workingOf(others).join() !== before) for (const listener of listeners) listener()
  }
  /** One after the other, so that an older row never replaces a newer one. */
  const renew = (): Promise<void> => {
    renewing = renewing.catch(() => undefined).then(renewOnce)
    return renewing
  }
  signals.on(topic, (from) => from !== id && loop?.wake())
  return {
    id,
    workers: () => (works ? [...workingOf(others), id].sort() : workingOf(others)),
    hear: (name, wish) => void wishes.set(name, wish),
    hearing: (name) => others.flatMap((node) => (node.hears.includes(name) ? [node.id] : [])),
    renew: () => loop?.wake(),
    onChange: (listener) => void listeners.push(listener),
    join: (signal) => {
      if (signal.aborted) return
      works = true
      loop?.wake()
      const leave = (): void => {
        works = false
        tasks.run('nodes.leave', renew)
      }
      signal.addEventListener('abort', leave, { once: true })
    },
    start: (signal) => {
      const pass = async (): Promise<boolean> => {
        try {
          await renew()
        } catch (problem) {
          // Said by those whose work fails because of it.
          if (!isDatabaseUnavailable(problem)) throw problem
        }
        return false
      }
      loop = createWakeableLoop({ name: 'nodes.renew', tasks, signal, pass })
      tasks.every('nodes.renew', { everyMs: renewEveryMs, signal }, async () => loop?.wake())
      loop.wake()
    },
  }
}
