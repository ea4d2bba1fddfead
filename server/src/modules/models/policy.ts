/** Who may change a model's record. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { mayUse } from '#modules/organizations/index.ts'
import type { ModelRecord } from './catalog.ts'
import type { ModelsContext } from './context.ts'
import { type Caller, mayRead, ownerOf } from './model-chain.ts'

export const callerOf = async ({ organizations }: ModelsContext, actor: Actor): Promise<Caller> => ({
  actor,
  groups: await organizations.grants.groupsOf(actor),
})

export const mayChange = ({ actor, groups }: Caller, record: ModelRecord): boolean =>
  mayUse({ actor, groups, owner: ownerOf(record), grants: record.grants, permission: 'write' })

/** The record, if the caller may change it. What the caller may not even see is not there. */
export const getChangeable = (context: ModelsContext, caller: Caller, modelId: string): ModelRecord => {
  const record = context.catalog.find(modelId)
  if (!record || !mayRead(caller, record)) throw new AppError('model_not_found')
  if (!mayChange(caller, record)) throw new AppError('forbidden')
  return record
}

/** What is said about a connection's model is said by the platform's owners. */
export const requireOwnBase = (actor: Actor, baseModelId: string | null): void => {
  if (baseModelId === null && actor.kind !== 'admin') throw new AppError('forbidden')
}

/** Open to everybody is the platform owners' to say, too. */
export const requireOpenable = (actor: Actor, grants: readonly unknown[] | null): void => {
  if (grants === null && actor.kind !== 'admin') throw new AppError('grant_not_allowed')
}

/** Whoever was only lent a model may change it, but not do away with it. */
export const requireOwner = (actor: Actor, record: ModelRecord): void => {
  const isOwner = record.ownerKind === actor.kind && record.ownerId === actor.id
  if (!isOwner && actor.kind !== 'admin') throw new AppError('forbidden')
}
