/** One model as the contract shows it, also one that has no record of its own. */
import type { Model, ModelItem } from '@chancery/contract/models.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelsContext } from './context.ts'
import { type Caller, findChain } from './model-chain.ts'
import { callerOf, mayChange } from './policy.ts'
import { presentItem } from './present.ts'
import { presentModel, presentRecord } from './present-model.ts'
import { findChainAfterRefresh, lookupOf } from './resolve-model.ts'

/** Who may change a record sees it also while it is switched off, or its base is gone. */
export const getModel = async (context: ModelsContext, actor: Actor, modelId: string): Promise<Model> => {
  const caller = await callerOf(context, actor)
  const record = context.catalog.find(modelId)
  if (record && mayChange(caller, record)) return presentOwn(context, caller, modelId)
  const chain = await findChainAfterRefresh(context, actor, modelId)
  if (!chain) throw new AppError('model_not_found')
  return presentModel(modelId, chain)
}

/** As the list has it: what the SDKs of that API ask for by name. */
export const getModelItem = async (context: ModelsContext, actor: Actor, modelId: string): Promise<ModelItem> => {
  const chain = await findChainAfterRefresh(context, actor, modelId)
  if (!chain) throw new AppError('model_not_found')
  return presentItem(modelId, chain)
}

/** What the caller made or was lent to change; for the platform's owners all there is. */
export const listOwnModels = async (context: ModelsContext, actor: Actor): Promise<Model[]> => {
  const caller = await callerOf(context, actor)
  return [...context.catalog.all()]
    .filter((record) => mayChange(caller, record))
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
    .map(({ id }) => presentOwn(context, caller, id))
}

const presentOwn = (context: ModelsContext, caller: Caller, modelId: string): Model => {
  const record = context.catalog.find(modelId)
  if (!record) throw new AppError('model_not_found')
  return presentRecord(record, findChain(lookupOf(context), caller, modelId))
}
