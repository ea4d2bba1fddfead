/**
 * Connections, model records and their grants, in memory, so that no request waits for the database here. Loaded at the
 * start, after every change on any node by signal, and, should a signal be lost, when the count of changes has moved.
 */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import { createConcurrencyLimit } from '#kernel/concurrency-limit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listGrantsOfTypeUnscoped } from '#modules/organizations/index.ts'
import type { ConnectionSettings } from './connection.ts'
import { type ConnectionRow, listConnectionsUnscoped } from './queries/connections.ts'
import { countChangeUnscoped, listModelsUnscoped, type ModelRow, readChangeNumberUnscoped } from './queries/models.ts'

export const modelResource = 'model'
const topic = 'models'
const refreshEveryMs = 3000

/** A row with its grants; null where it is open to everyone. */
export interface ModelRecord extends ModelRow {
  grants: readonly AccessGrant[] | null
}

export interface Catalog {
  find(modelId: string): ModelRecord | undefined
  all(): Iterable<ModelRecord>
  /** Runs a change in one transaction. When it returns this node has the change; the others get it by signal. */
  change<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Signals every node that another module changed something in this transaction. */
  announce(tx: Db): Promise<void>
  start(signal: AbortSignal): void
}

interface Options {
  kernel: Pick<Kernel, 'db' | 'signals' | 'tasks'>
  settingsOf(row: ConnectionRow): ConnectionSettings
  /** Called with the stored connections, at the start and when they may have changed. */
  onConnections(settings: readonly ConnectionSettings[]): void
}

export const createCatalog = async ({ kernel, settingsOf, onConnections }: Options): Promise<Catalog> => {
  const { db, signals, tasks } = kernel
  const inTurn = createConcurrencyLimit(1)
  let records: ReadonlyMap<string, ModelRecord> = new Map()
  let seen: string | undefined

  const load = async (): Promise<void> => {
    const number = await readChangeNumberUnscoped(db)
    if (number === seen) return
    const [rows, grants, connections] = await Promise.all([
      listModelsUnscoped(db),
      listGrantsOfTypeUnscoped(db, modelResource),
      listConnectionsUnscoped(db),
    ])
    records = new Map(
      rows.map((row) => [row.id, { ...row, grants: row.isRestricted ? (grants.get(row.id) ?? []) : null }]),
    )
    onConnections(connections.map(settingsOf))
    // The number was read first: a change in between is loaded again next time.
    seen = number
  }
  /** One at a time, so that an older result never replaces a newer one. */
  const refresh = (): Promise<void> => inTurn(load)

  const announce = async (tx: Db): Promise<void> => {
    await countChangeUnscoped(tx)
    await signals.send(tx, topic, 'changed')
  }

  signals.on(topic, () => tasks.run('models.refresh', refresh))
  await refresh()

  return {
    find: (modelId) => records.get(modelId),
    all: () => records.values(),
    announce,
    change: async (work) => {
      const result = await db.transaction().execute(async (tx) => {
        await announce(tx)
        return work(tx)
      })
      await refresh()
      return result
    },
    start: (signal) => tasks.every('models.refresh', { everyMs: refreshEveryMs, signal }, refresh),
  }
}
