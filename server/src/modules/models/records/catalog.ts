/** Connections, model records and their grants, in the memory of every node. A change is read alone, not with the rest. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createSharedCopy, type SharedCopy } from '#kernel/shared-copy.ts'
import { listGrantsAmongUnscoped, listGrantsOfTypeUnscoped } from '#modules/organizations/index.ts'
import type { ConnectionSettings } from '../connections/connection.ts'
import { type ConnectionRow, listConnectionsUnscoped } from '../connections/queries.ts'
import type { ModelAnnouncer } from './announce-models.ts'
import { createModelIndex, type ModelIndex } from './model-index.ts'
import { listModelsAmongUnscoped, listModelsUnscoped, type ModelRecord, type ModelRow } from './queries/models.ts'

export const modelResource = 'model'

type Change = SharedCopy['change']

/** When a change returns this node has it; the others get it by signal. */
export interface Catalog extends Pick<SharedCopy, 'start'>, Pick<ModelIndex, 'find' | 'candidatesFor'> {
  changeModel<Result>(modelId: string, work: (tx: Db) => Promise<Result>): Promise<Result>
  changeConnections: Change
  /** This transaction changes who owns, or was granted, what this person or group has so far. */
  announcePrincipal(tx: Db, principalId: string): Promise<void>
}

const connectionsKey = 'connections'
const modelKey = 'model'
const principalKey = 'principal'

interface Options {
  kernel: Pick<Kernel, 'checks' | 'db' | 'signals' | 'tasks'>
  settingsOf(row: ConnectionRow): ConnectionSettings
  /** Called with the stored connections, at the start and when they may have changed. */
  onConnections(settings: readonly ConnectionSettings[]): void
  announcer: ModelAnnouncer | undefined
}

type Grants = ReadonlyMap<string, readonly AccessGrant[]>

const recordOf = (row: ModelRow, grants: Grants): ModelRecord => ({
  ...row,
  grants: row.isRestricted ? (grants.get(row.id) ?? []) : null,
})

export const createCatalog = async ({ kernel, settingsOf, onConnections, announcer }: Options): Promise<Catalog> => {
  const { db } = kernel
  let index = createModelIndex()

  const loadConnections = async (): Promise<void> => onConnections((await listConnectionsUnscoped(db)).map(settingsOf))

  const loadAll = async (): Promise<void> => {
    const [rows, grants] = await Promise.all([listModelsUnscoped(db), listGrantsOfTypeUnscoped(db, modelResource)])
    const loaded = createModelIndex()
    for (const row of rows) loaded.set(recordOf(row, grants))
    index = loaded
    await loadConnections()
    announcer?.all()
  }
  const idsIn = (key: string): Iterable<string> => {
    const id = key.slice(key.indexOf(' ') + 1)
    return key.startsWith(principalKey) ? index.idsNaming(id) : [id]
  }
  const loadChanged = async (keys: readonly string[]): Promise<void> => {
    const ids = new Set(keys.filter((key) => key !== connectionsKey).flatMap((key) => [...idsIn(key)]))
    const named = [...ids]
    const [rows, grants] = await Promise.all([
      listModelsAmongUnscoped(db, named),
      listGrantsAmongUnscoped(db, modelResource, named),
    ])
    const before = named.flatMap((id) => index.find(id) ?? [])
    const after = rows.map((row) => recordOf(row, grants))
    for (const id of named) index.delete(id)
    for (const record of after) index.set(record)
    announcer?.changed([...before, ...after])
    if (!keys.includes(connectionsKey)) return
    await loadConnections()
    announcer?.all()
  }
  const load = (keys?: readonly string[]): Promise<void> => (keys ? loadChanged(keys) : loadAll())
  const copy = await createSharedCopy({ kernel, topic: 'models', load })
  return {
    start: copy.start,
    find: (modelId) => index.find(modelId),
    candidatesFor: (caller) => index.candidatesFor(caller),
    changeModel: (modelId, work) => copy.change(work, `${modelKey} ${modelId}`),
    changeConnections: (work) => copy.change(work, connectionsKey),
    announcePrincipal: (tx, principalId) => copy.announce(tx, `${principalKey} ${principalId}`),
  }
}
