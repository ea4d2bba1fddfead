/** The console's list: what connections serve, with what was said about it here, and what was made here. */
import type { Model, ModelItem } from '@chancery/contract/models.ts'

export interface ModelRow {
  id: string
  name: string
  /** Set for a model that was made here out of another. */
  baseId: string | null
  /** Where it runs; undefined when nothing serves it at present. */
  place: ModelItem['connection_type'] | undefined
  isUnavailable: boolean
  isActive: boolean
  /** How many may use it; null is everybody. */
  grantCount: number | null
  record: Model | undefined
}

export function modelRows(items: readonly ModelItem[], records: readonly Model[]): ModelRow[] {
  const served = new Map(items.map((item) => [item.id, item]))
  const said = new Map(records.map((record) => [record.id, record]))
  const ids = [...new Set([...served.keys(), ...said.keys()])]
  return ids.map((id) => rowOf(id, served.get(id), said.get(id))).sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

const rowOf = (id: string, item: ModelItem | undefined, record: Model | undefined): ModelRow => ({
  id,
  name: record?.name ?? item?.name ?? id,
  baseId: record?.base_model_id ?? item?.base_model_id ?? null,
  place: item?.connection_type,
  isUnavailable: item === undefined || item.unavailable === true,
  isActive: record?.is_active ?? true,
  grantCount: record?.access_grants?.length ?? null,
  record,
})

/** Every word must be somewhere in the name or the id. */
export function findModels(rows: readonly ModelRow[], text: string): ModelRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(({ id, name }) => words.every((word) => `${id} ${name}`.toLowerCase().includes(word)))
}
