/**
 * Model records in memory: by id, and by who is named in them, so that what a caller sees is found without looking at
 * what others have. Who may do what is still for the policy to say.
 */
import { can } from '@chancery/contract/abilities.ts'
import type { Caller } from './model-chain.ts'
import type { ModelRecord } from './queries/models.ts'

export interface ModelIndex {
  set(record: ModelRecord): void
  delete(modelId: string): void
  find(modelId: string): ModelRecord | undefined
  /** All that the caller may be allowed to read. */
  candidatesFor(caller: Caller): Iterable<ModelRecord>
  /** The models that this person, group or organization owns or was granted. */
  idsNaming(principalId: string): Iterable<string>
}

const principalsOf = ({ ownerId, grants }: ModelRecord): Set<string> =>
  new Set([ownerId, ...(grants ?? []).map(({ principal_id }) => principal_id)])

export const createModelIndex = (): ModelIndex => {
  const records = new Map<string, ModelRecord>()
  /** Ids of models that everybody may read. */
  const open = new Set<string>()
  const byPrincipal = new Map<string, Set<string>>()

  const remove = (modelId: string): void => {
    const record = records.get(modelId)
    if (!record) return
    records.delete(modelId)
    open.delete(modelId)
    for (const principal of principalsOf(record)) {
      const own = byPrincipal.get(principal)
      own?.delete(modelId)
      if (own?.size === 0) byPrincipal.delete(principal)
    }
  }
  const idsFor = ({ actor, groups }: Caller): Set<string> => {
    const ids = new Set(open)
    const principals = [actor.id, ...groups, ...(actor.organizationId === null ? [] : [actor.organizationId])]
    for (const principal of principals) for (const id of byPrincipal.get(principal) ?? []) ids.add(id)
    return ids
  }
  return {
    delete: remove,
    set: (record) => {
      remove(record.id)
      records.set(record.id, record)
      if (record.grants === null) open.add(record.id)
      for (const principal of principalsOf(record))
        byPrincipal.set(principal, (byPrincipal.get(principal) ?? new Set()).add(record.id))
    },
    find: (modelId) => records.get(modelId),
    candidatesFor: (caller) =>
      can(caller.actor, 'use-everything')
        ? records.values()
        : [...idsFor(caller)].flatMap((id) => records.get(id) ?? []),
    idsNaming: (principalId) => byPrincipal.get(principalId) ?? [],
  }
}
