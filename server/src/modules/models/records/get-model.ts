/** One model in the contract's format, also one without a record. */
import type { Model, ModelItem } from '@chancery/contract/models/models.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelsContext } from '../context.ts'
import { findChainAfterRefresh, lookupOf } from './find-model.ts'
import { type Caller, findChain } from './model-chain.ts'
import { callerOf, mayChange } from './policy.ts'
import { presentItem } from './present.ts'
import { presentModel, presentRecord } from './present-model.ts'

/** Those who may change a record see it even while it is switched off or its base is gone. */
export const getModel = async (context: ModelsContext, actor: Actor, modelId: string): Promise<Model> => {
  const caller = await callerOf(context, actor)
  const record = context.catalog.find(modelId)
  if (record && mayChange(caller, record)) return presentOwn(context, caller, modelId)
  const chain = await findChainAfterRefresh(context, actor, modelId)
  if (!chain) throw new AppError('model_not_found')
  return presentModel(modelId, chain)
}

/** The list's item for one model, as SDKs of that API request it. */
export const getModelItem = async (context: ModelsContext, actor: Actor, modelId: string): Promise<ModelItem> => {
  const chain = await findChainAfterRefresh(context, actor, modelId)
  if (!chain) throw new AppError('model_not_found')
  return presentItem(modelId, chain)
}

/** Models that the caller created or may change; for platform admins all of them. */
export const listOwnModels = async (context: ModelsContext, actor: Actor): Promise<Model[]> => {
  const caller = await callerOf(context, actor)
  return [...context.catalog.candidatesFor(caller)]
    .filter((record) => mayChange(caller, record))
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
    .map(({ id }) => presentOwn(context, caller, id))
}

const presentOwn = (context: ModelsContext, caller: Caller, modelId: string): Model => {
  const record = context.catalog.find(modelId)
  if (!record) throw new AppError('model_not_found')
  return presentRecord(record, findChain(lookupOf(context), caller, modelId))
}
