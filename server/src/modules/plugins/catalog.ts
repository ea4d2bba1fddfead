/**
 * Every plugin and tool server with its grants, in memory, so that no request waits for the database here. Loaded at the
 * start, after every change on any node by signal, and, should a signal be lost, when the count of changes has moved.
 */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import { createConcurrencyLimit } from '#kernel/concurrency-limit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { listGrantsOfTypeUnscoped } from '#modules/organizations/index.ts'
import {
  countChangeUnscoped,
  listPluginsUnscoped,
  type PluginRow,
  readChangeNumberUnscoped,
} from './queries/plugins.ts'
import { listToolServersUnscoped, type ToolServerRow } from './queries/tool-servers.ts'

export const pluginResource = 'plugin'
export const serverResource = 'tool_server'
const topic = 'plugins'
const refreshEveryMs = 3000

/** A row with its grants; null where it is open to everyone. */
export interface PluginRecord extends PluginRow {
  grants: readonly AccessGrant[] | null
}

export interface ToolServerRecord extends ToolServerRow {
  grants: readonly AccessGrant[] | null
}

export interface PluginCatalog {
  servers(): readonly ToolServerRecord[]
  find(id: string): PluginRecord | undefined
  all(): readonly PluginRecord[]
  /** Runs a change in one transaction. When it returns this node has the change; the others get it by signal. */
  change<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Signals every node that something it holds was changed in this transaction. */
  announce(tx: Db): Promise<void>
  /** Called after each load. */
  onLoad(listener: () => void): void
  start(signal: AbortSignal): void
}

export const createPluginCatalog = async ({
  db,
  signals,
  tasks,
}: Pick<Kernel, 'db' | 'signals' | 'tasks'>): Promise<PluginCatalog> => {
  const inTurn = createConcurrencyLimit(1)
  const listeners: (() => void)[] = []
  let records: ReadonlyMap<string, PluginRecord> = new Map()
  let list: readonly PluginRecord[] = []
  let servers: readonly ToolServerRecord[] = []
  let seen: string | undefined

  const load = async (): Promise<void> => {
    // Read first: a change in between is loaded again next time.
    const number = await readChangeNumberUnscoped(db)
    if (number === seen) return
    const [rows, grants, serverRows, serverGrants] = await Promise.all([
      listPluginsUnscoped(db),
      listGrantsOfTypeUnscoped(db, pluginResource),
      listToolServersUnscoped(db),
      listGrantsOfTypeUnscoped(db, serverResource),
    ])
    list = withGrants(rows, grants)
    servers = withGrants(serverRows, serverGrants)
    records = new Map(list.map((record) => [record.id, record]))
    seen = number
    for (const listener of listeners) listener()
  }
  /** One at a time, so that an older result never replaces a newer one. */
  const refresh = (): Promise<void> => inTurn(load)
  const announce = async (tx: Db): Promise<void> => {
    await countChangeUnscoped(tx)
    await signals.send(tx, topic, 'changed')
  }

  signals.on(topic, () => tasks.run('plugins.refresh', refresh))
  await refresh()

  return {
    servers: () => servers,
    find: (id) => records.get(id),
    all: () => list,
    announce,
    onLoad: (listener) => void listeners.push(listener),
    change: async (work) => {
      const result = await db.transaction().execute(async (tx) => {
        await announce(tx)
        return work(tx)
      })
      await refresh()
      return result
    },
    start: (signal) => tasks.every('plugins.refresh', { everyMs: refreshEveryMs, signal }, refresh),
  }
}

const withGrants = <Row extends { id: string; isRestricted: boolean }>(
  rows: readonly Row[],
  grants: ReadonlyMap<string, AccessGrant[]>,
): (Row & { grants: readonly AccessGrant[] | null })[] =>
  rows.map((row) => ({ ...row, grants: row.isRestricted ? (grants.get(row.id) ?? []) : null }))
