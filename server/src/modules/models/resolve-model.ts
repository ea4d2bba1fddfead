/** Resolves a model's name for a caller: synchronously where everything is known, else after a short refresh. */

import { unixSeconds } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { callModel } from './call-model.ts'
import type { ModelRecord } from './catalog.ts'
import type { ModelsContext } from './context.ts'
import type { ResolvedModel } from './face.ts'
import { findChain, type ModelChain, type ModelLookup } from './model-chain.ts'
import type { ModelList } from './model-list.ts'
import { withoutRuntimeSettings } from './runtime-settings.ts'

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

export const resolveModel = (
  context: ModelsContext,
  actor: Actor,
  modelId: string,
): ResolvedModel | Promise<ResolvedModel> => {
  const chain = getChain(context, actor, modelId)
  return chain instanceof Promise
    ? chain.then((found) => asResolved(context, modelId, found))
    : asResolved(context, modelId, chain)
}

const asResolved = ({ kernel, meter }: ModelsContext, id: string, chain: ModelChain): ResolvedModel => {
  const { clock, ids } = kernel
  const { params, system } = layeredParams(chain)
  const deps = { meter, newId: () => ids.next(), nowSec: () => unixSeconds(clock.now()) }
  return {
    id,
    name: nameOf(chain),
    params,
    system,
    capabilities: capabilitiesOf(chain),
    filterIds: filterIdsOf(chain),
    contextLength: contextLengthOf(chain),
    call: (call) => callModel(deps, { id, end: chain.end }, call),
  }
}

/** A person's model sets nothing that they could not set in a request. */
const paramsOf = ({ ownerKind, params }: ModelRecord): Record<string, unknown> =>
  ownerKind === 'admin' ? params : withoutRuntimeSettings(params)

/** The outer record wins. */
export const layeredParams = ({ layers }: ModelChain): { params: Record<string, unknown>; system: string | null } => {
  if (layers.length === 0) return { params: {}, system: null }
  const { system, ...params } = Object.assign({}, ...layers.toReversed().map(paramsOf)) as Record<string, unknown>
  return { params, system: typeof system === 'string' && system !== '' ? system : null }
}

/** Includes every layer: a custom model can't bypass the filters of its base. */
const filterIdsOf = ({ layers }: ModelChain): readonly string[] => {
  if (layers.length === 0) return []
  const ids = layers.flatMap(({ meta }) => (Array.isArray(meta.filterIds) ? meta.filterIds : []))
  return ids.filter((id) => typeof id === 'string')
}

export const nameOf = ({ layers, end }: ModelChain): string =>
  layers[0]?.name ?? (end.kind === 'source' ? end.model.name : (end.by[0]?.listed.name ?? ''))

const contextLengthOf = ({ layers, end }: ModelChain): number | null => {
  for (const { meta } of layers) if (Number.isSafeInteger(meta.context_length)) return meta.context_length as number
  return end.kind === 'served' ? (end.by[0]?.listed.contextLength ?? null) : null
}

export const capabilitiesOf = ({ layers, end }: ModelChain): readonly string[] => {
  for (const { meta } of layers) if (Array.isArray(meta.capabilities)) return meta.capabilities as string[]
  return end.kind === 'served' ? (end.by[0]?.listed.capabilities ?? []) : []
}
