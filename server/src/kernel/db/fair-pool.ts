/**
 * The pool shared out: a request gets another connection only while its tenant has fewer than are free. One tenant alone
 * gets half of them, two a third each, and there is always one left for who has none. Work that is nobody's request
 * (jobs, batches, dispatch) asks the pool itself.
 */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { createFairQueue } from '../turns/fair-queue.ts'
import { createKeyCounts } from '../turns/key-counts.ts'

interface Options {
  pool: Pick<pg.Pool, 'idleCount' | 'on' | 'options' | 'totalCount' | 'waitingCount'>
  connect(): Promise<PostgresPoolClient>
  end(): Promise<void>
  /** The tenant whose request this is; undefined for all other work. */
  requester(): string | undefined
}

interface Waiting {
  owner: string
  start(): void
}

/** A transaction may need a second connection while it holds its first, whatever else is busy. */
const always = 2

export const fairPool = ({ pool, connect, end, requester }: Options): PostgresPool => {
  const held = createKeyCounts()
  const queue = createFairQueue<Waiting>(Number.POSITIVE_INFINITY)
  const { max, connectionTimeoutMillis: patienceMs = 0 } = pool.options
  /** Turns that were given, whose connections the pool doesn't count yet. */
  let coming = 0

  const free = (): number => max - (pool.totalCount - pool.idleCount) - pool.waitingCount - coming
  const mayTake = (owner: string): boolean => free() > 0 && held.of(owner) < Math.max(always, free())
  const serve = (): void => {
    for (let next = queue.next(mayTake); next; next = queue.next(mayTake)) {
      held.add(next.owner, 1)
      coming += 1
      next.start()
    }
  }
  const waitInLine = (owner: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const one = {
      owner,
      start: () => {
        clearTimeout(timer)
        resolve()
      },
    }
    const giveUp = (): void => {
      queue.remove(owner, one)
      reject(new Error('timeout exceeded when trying to connect'))
    }
    const timer = patienceMs > 0 ? setTimeout(giveUp, patienceMs) : undefined
    queue.push(owner, one)
    return promise
  }
  /** One wrapper for each client, as Kysely keeps what it knows of it there. */
  const known = new WeakMap<PostgresPoolClient, { client: PostgresPoolClient; owner: string }>()
  const counted = (client: PostgresPoolClient, owner: string): PostgresPoolClient => {
    const use = known.get(client) ?? withCount(client, owner)
    known.set(client, use)
    use.owner = owner
    return use.client
  }
  const withCount = (client: PostgresPoolClient, owner: string) => {
    const use = {
      owner,
      client: {
        query: client.query,
        release: (destroy?: boolean) => {
          held.add(use.owner, -1)
          client.release(destroy)
        },
      },
    }
    return use
  }
  const connectFor = async (owner: string): Promise<PostgresPoolClient> => {
    if (mayTake(owner)) {
      held.add(owner, 1)
      coming += 1
    } else await waitInLine(owner)
    const connecting = connect()
    // From here on the pool counts it: it is idle and taken at once, or waited for.
    coming -= 1
    try {
      return counted(await connecting, owner)
    } catch (problem) {
      held.add(owner, -1)
      serve()
      throw problem
    }
  }
  // The pool puts the connection back after it has told so.
  pool.on('release', () => {
    if (queue.size > 0) queueMicrotask(serve)
  })
  return {
    options: pool.options,
    end,
    connect: () => {
      const owner = requester()
      return owner === undefined ? connect() : connectFor(owner)
    },
  }
}
