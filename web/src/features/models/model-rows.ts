/** The console's list of models: those from connections with their records, and custom ones. */
import type { Model, ModelItem } from '@chancery/contract/models/models.ts'

export interface ModelRow {
  id: string
  name: string
  /** Set for a custom model. */
  baseId: string | null
  /** The kind of connection that serves it; undefined while it is unavailable. */
  source: ModelItem['connection_type'] | undefined
  isUnavailable: boolean
  isActive: boolean
  /** Number of grants; null means everyone. */
  grantCount: number | null
  record: Model | undefined
}

export function modelRows(items: readonly ModelItem[], records: readonly Model[]): ModelRow[] {
  const served = new Map(items.map((item) => [item.id, item]))
  const recordById = new Map(records.map((record) => [record.id, record]))
  const ids = [...new Set([...served.keys(), ...recordById.keys()])]
  return ids
    .map((id) => rowOf(id, served.get(id), recordById.get(id)))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const rowOf = (id: string, item: ModelItem | undefined, record: Model | undefined): ModelRow => ({
  id,
  name: record?.name ?? item?.name ?? id,
  baseId: record?.base_model_id ?? item?.base_model_id ?? null,
  source: item?.connection_type,
  isUnavailable: item === undefined || item.unavailable === true,
  isActive: record?.is_active ?? true,
  grantCount: record?.access_grants?.length ?? null,
  record,
})

/** Every word must occur in the name or the ID. */
export function findModels(rows: readonly ModelRow[], text: string): ModelRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ id, name }) => words.every((word) => `${id} ${name}`.toLowerCase().includes(word)))
}
