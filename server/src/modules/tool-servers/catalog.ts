/** Every tool server with its grants, in the memory of every node. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createSharedCopy, type SharedCopy } from '#kernel/shared-copy.ts'
import { listGrantsOfTypeUnscoped } from '#modules/organizations/index.ts'
import { listToolServersUnscoped, type ToolServerRow } from './queries/tool-servers.ts'

export const serverResource = 'tool_server'

/** A row with its grants; null where it is open to everyone. */
export interface ToolServerRecord extends ToolServerRow {
  grants: readonly AccessGrant[] | null
}

export interface ToolServerCatalog extends SharedCopy {
  servers(): readonly ToolServerRecord[]
  /** Called after each load. */
  onLoad(listener: () => void): void
}

export const createToolServerCatalog = async (
  kernel: Pick<Kernel, 'checks' | 'db' | 'signals' | 'tasks'>,
): Promise<ToolServerCatalog> => {
  const { db } = kernel
  const listeners: (() => void)[] = []
  let servers: readonly ToolServerRecord[] = []

  const load = async (): Promise<void> => {
    const [rows, grants] = await Promise.all([
      listToolServersUnscoped(db),
      listGrantsOfTypeUnscoped(db, serverResource),
    ])
    servers = rows.map((row) => ({ ...row, grants: row.isRestricted ? (grants.get(row.id) ?? []) : null }))
    for (const listener of listeners) listener()
  }
  const copy = await createSharedCopy({ kernel, topic: 'tool-servers', load })
  return { ...copy, servers: () => servers, onLoad: (listener) => void listeners.push(listener) }
}
