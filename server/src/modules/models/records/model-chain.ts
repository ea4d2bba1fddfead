/**
 * Resolves a name through custom models to the connections, or the code, that answer. The caller must be allowed to use
 * every step, so that a custom model is no way around the restriction of its base. Pure.
 */
import { type GrantQuestion, mayUse } from '#modules/organizations/index.ts'
import type { ServedModel } from '../connections/live-connection.ts'
import type { ModelSource, SourceModel } from '../interface.ts'
import type { ModelRecord } from './queries/models.ts'

/** The most custom models that can be based on each other; also ends a circle, should there be one. */
export const maxLayers = 5

export interface ModelLookup {
  find(modelId: string): ModelRecord | undefined
  servers(modelId: string): readonly ServedModel[]
  source(modelId: string): FoundSource | undefined
}

export interface FoundSource {
  source: ModelSource
  model: SourceModel
}

export interface Caller {
  actor: GrantQuestion['actor']
  groups: ReadonlySet<string>
}

export interface ModelChain {
  /** The records of the model and its bases, the outermost first. */
  layers: readonly ModelRecord[]
  end: { kind: 'served'; by: readonly ServedModel[] } | ({ kind: 'source' } & FoundSource)
}

/** Undefined for a model that is unknown, switched off or not allowed, alike. */
export const findChain = (known: ModelLookup, caller: Caller, modelId: string): ModelChain | undefined => {
  const layers: ModelRecord[] = []
  for (let id = modelId; layers.length <= maxLayers; ) {
    const record = known.find(id)
    const isMine = record === undefined || (record.isActive && mayRead(caller, record))
    if (record && record.baseModelId !== null && isMine) {
      layers.push(record)
      id = record.baseModelId
      continue
    }
    // A person's model hides no connection's model of the same id from others; an administrator's record does.
    if (!isMine && !isPersonsOwn(record)) return undefined
    if (record && isMine) layers.push(record)
    const end = endOf(known, caller, id)
    return end && { layers, end }
  }
  return undefined
}

export const mayRead = ({ actor, groups }: Caller, record: ModelRecord): boolean =>
  mayUse({ actor, groups, owner: ownerOf(record), grants: record.grants, permission: 'read' })

export const ownerOf = ({ ownerKind, ownerId }: ModelRecord) => ({ kind: ownerKind, id: ownerId })

const isPersonsOwn = ({ baseModelId, ownerKind }: ModelRecord): boolean => baseModelId !== null && ownerKind === 'user'

const endOf = (known: ModelLookup, caller: Caller, id: string): ModelChain['end'] | undefined => {
  const by = known.servers(id)
  if (by.length > 0) return { kind: 'served', by }
  const found = known.source(id)
  const access = found?.model.access
  if (access && !mayUse({ ...caller, ...access, permission: 'read' })) return undefined
  return found && { kind: 'source', ...found }
}
