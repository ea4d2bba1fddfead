/** Permission to change a model's record. */
import { can } from '@chancery/contract/abilities.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { mayUse } from '#modules/organizations/index.ts'
import type { ModelsContext } from '../context.ts'
import { type Caller, mayRead, ownerOf } from './model-chain.ts'
import type { ModelRecord } from './queries/models.ts'

export const callerOf = async ({ organizations }: ModelsContext, actor: Actor): Promise<Caller> => ({
  actor,
  groups: await organizations.grants.groupsOf(actor),
})

export const mayChange = ({ actor, groups }: Caller, record: ModelRecord): boolean =>
  mayUse({ actor, groups, owner: ownerOf(record), grants: record.grants, permission: 'write' })

/** The record, if the caller may change it; 404 where the caller may not even see it. */
export const getChangeable = (context: ModelsContext, caller: Caller, modelId: string): ModelRecord => {
  const record = context.catalog.find(modelId)
  if (!record || !mayRead(caller, record)) throw new AppError('model_not_found')
  if (!mayChange(caller, record)) throw new AppError('forbidden')
  return record
}

/** Only platform admins have records for a connection's model. */
export const requireOwnBase = (actor: Actor, baseModelId: string | null): void => {
  if (baseModelId === null && !can(actor, 'describe-connected-models')) throw new AppError('forbidden')
}

/** Only platform admins open a model to everyone. */
export const requireOpenable = (actor: Actor, grants: readonly unknown[] | null): void => {
  if (grants === null && !can(actor, 'open-to-everyone')) throw new AppError('grant_not_allowed')
}

/** A person with a write grant may change a model, but not delete it. */
export const requireOwner = (actor: Actor, record: ModelRecord): void => {
  const isOwner = record.ownerKind === actor.kind && record.ownerId === actor.id
  if (!isOwner && !can(actor, 'use-everything')) throw new AppError('forbidden')
}
