/** Connections, model records and their grants, in the memory of every node. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createSharedCopy, type SharedCopy } from '#kernel/shared-copy.ts'
import { listGrantsOfTypeUnscoped } from '#modules/organizations/index.ts'
import type { ConnectionSettings } from '../connections/connection.ts'
import { type ConnectionRow, listConnectionsUnscoped } from '../connections/queries.ts'
import { listModelsUnscoped, type ModelRow } from './queries/models.ts'

export const modelResource = 'model'

/** A row with its grants; null where it is open to everyone. */
export interface ModelRecord extends ModelRow {
  grants: readonly AccessGrant[] | null
}

export interface Catalog extends SharedCopy {
  find(modelId: string): ModelRecord | undefined
  all(): Iterable<ModelRecord>
}

interface Options {
  kernel: Pick<Kernel, 'checks' | 'db' | 'signals' | 'tasks'>
  settingsOf(row: ConnectionRow): ConnectionSettings
  /** Called with the stored connections, at the start and when they may have changed. */
  onConnections(settings: readonly ConnectionSettings[]): void
}

export const createCatalog = async ({ kernel, settingsOf, onConnections }: Options): Promise<Catalog> => {
  const { db } = kernel
  let records: ReadonlyMap<string, ModelRecord> = new Map()

  const load = async (): Promise<void> => {
    const [rows, grants, connections] = await Promise.all([
      listModelsUnscoped(db),
      listGrantsOfTypeUnscoped(db, modelResource),
      listConnectionsUnscoped(db),
    ])
    records = new Map(
      rows.map((row) => [row.id, { ...row, grants: row.isRestricted ? (grants.get(row.id) ?? []) : null }]),
    )
    onConnections(connections.map(settingsOf))
  }
  const copy = await createSharedCopy({ kernel, topic: 'models', load })
  return { ...copy, find: (modelId) => records.get(modelId), all: () => records.values() }
}
