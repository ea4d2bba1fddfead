/** Finds what a model's name leads to: synchronously where everything is known, else after a short refresh. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelList } from '../connections/model-list.ts'
import type { ModelsContext } from '../context.ts'
import { findChain, type ModelChain, type ModelLookup } from './model-chain.ts'

/** An unknown name may be a model that was just added: lists older than this are read again. */
const unknownMinAgeMs = 5000

export const lookupOf = ({ catalog, connections, sources }: ModelsContext): ModelLookup => ({
  find: catalog.find,
  servers: connections.servers,
  source: (modelId) => {
    for (const source of sources) {
      const model = source.list().find(({ id }) => id === modelId)
      if (model) return { source, model }
    }
    return undefined
  },
})

/** Throws `model_not_found`. */
export const getChain = (context: ModelsContext, actor: Actor, modelId: string): ModelChain | Promise<ModelChain> => {
  const { connections, organizations } = context
  connections.touch()
  const groups = organizations.grants.groupsOf(actor)
  const chain = groups instanceof Promise ? undefined : findChain(lookupOf(context), { actor, groups }, modelId)
  return chain ?? getChainAfterRefresh(context, actor, modelId)
}

const getChainAfterRefresh = async (context: ModelsContext, actor: Actor, modelId: string): Promise<ModelChain> => {
  const chain = await findChainAfterRefresh(context, actor, modelId)
  if (!chain) throw new AppError('model_not_found')
  return chain
}

/** Undefined when the refreshed lists do not have it either. */
export const findChainAfterRefresh = async (
  context: ModelsContext,
  actor: Actor,
  modelId: string,
): Promise<ModelChain | undefined> => {
  const caller = { actor, groups: await context.organizations.grants.groupsOf(actor) }
  const known = lookupOf(context)
  const chain = findChain(known, caller, modelId)
  if (chain) return chain
  // The same for what does not exist and for what is not the caller's: how long it takes tells nothing.
  const hasNotFailed = (list: ModelList): boolean => list.problem === undefined
  await context.connections.refresh({ which: hasNotFailed, minAgeMs: unknownMinAgeMs, waitMs: context.maxWaitMs })
  return findChain(known, caller, modelId)
}
