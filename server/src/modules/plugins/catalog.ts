/** Every plugin with its grants, in the memory of every node. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createSharedCopy, type SharedCopy } from '#kernel/shared-copy.ts'
import { listGrantsOfTypeUnscoped } from '#modules/organizations/index.ts'
import { listPluginsUnscoped, type PluginRow } from './queries/plugins.ts'

export const pluginResource = 'plugin'

/** A row with its grants; null where it is open to everyone. */
export interface PluginRecord extends PluginRow {
  grants: readonly AccessGrant[] | null
}

export interface PluginCatalog extends SharedCopy {
  find(id: string): PluginRecord | undefined
  all(): readonly PluginRecord[]
  /** Called after each load. */
  onLoad(listener: () => void): void
}

export const createPluginCatalog = async (
  kernel: Pick<Kernel, 'checks' | 'db' | 'signals' | 'tasks'>,
): Promise<PluginCatalog> => {
  const { db } = kernel
  const listeners: (() => void)[] = []
  let records: ReadonlyMap<string, PluginRecord> = new Map()
  let list: readonly PluginRecord[] = []

  const load = async (): Promise<void> => {
    const [rows, grants] = await Promise.all([listPluginsUnscoped(db), listGrantsOfTypeUnscoped(db, pluginResource)])
    list = rows.map((row) => ({ ...row, grants: row.isRestricted ? (grants.get(row.id) ?? []) : null }))
    records = new Map(list.map((record) => [record.id, record]))
    for (const listener of listeners) listener()
  }
  const copy = await createSharedCopy({ kernel, topic: 'plugins', load })
  return {
    ...copy,
    find: (id) => records.get(id),
    all: () => list,
    onLoad: (listener) => void listeners.push(listener),
  }
}
