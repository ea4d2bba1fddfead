/** What a caller gets for a model's name. At once where all is known; else after a short look at what is not. */

import { unixSeconds } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { callModel } from './call-model.ts'
import type { ModelsContext } from './context.ts'
import type { ResolvedModel } from './face.ts'
import type { ModelList } from './model-list.ts'
import { type Known, type Walk, walkModel } from './walk-model.ts'

/** A name nobody knows may belong to a model that was only just added: lists older than this are read again. */
const unknownMinAgeMs = 5000
/** Nobody waits longer than this for a connection that says nothing. */
export const patienceMs = 2000

export const knownOf = ({ catalog, connections, sources }: ModelsContext): Known => ({
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

/** The walk for this caller; throws `model_not_found`. */
export const findWalk = (context: ModelsContext, actor: Actor, modelId: string): Walk | Promise<Walk> => {
  const { connections, organizations } = context
  connections.touch()
  const groups = organizations.grants.groupsOf(actor)
  const walk = groups instanceof Promise ? undefined : walkModel(knownOf(context), { actor, groups }, modelId)
  return walk ?? getLater(context, actor, modelId)
}

const getLater = async (context: ModelsContext, actor: Actor, modelId: string): Promise<Walk> => {
  const walk = await lookAgain(context, actor, modelId)
  if (!walk) throw new AppError('model_not_found')
  return walk
}

/** Undefined when a second look finds nothing either. */
export const lookAgain = async (context: ModelsContext, actor: Actor, modelId: string): Promise<Walk | undefined> => {
  const caller = { actor, groups: await context.organizations.grants.groupsOf(actor) }
  const known = knownOf(context)
  const walk = walkModel(known, caller, modelId)
  if (walk) return walk
  // The same for what does not exist and for what is not the caller's: how long it takes tells nothing.
  const isHopeful = (list: ModelList): boolean => list.problem === undefined
  await context.connections.refresh({ which: isHopeful, minAgeMs: unknownMinAgeMs, waitMs: patienceMs })
  return walkModel(known, caller, modelId)
}

export const resolveModel = (
  context: ModelsContext,
  actor: Actor,
  modelId: string,
): ResolvedModel | Promise<ResolvedModel> => {
  const walk = findWalk(context, actor, modelId)
  return walk instanceof Promise
    ? walk.then((found) => asResolved(context, modelId, found))
    : asResolved(context, modelId, walk)
}

const asResolved = ({ kernel, meter }: ModelsContext, id: string, walk: Walk): ResolvedModel => {
  const { clock, ids } = kernel
  const { params, system } = layeredParams(walk)
  const deps = { meter, newId: () => ids.next(), nowSec: () => unixSeconds(clock.now()) }
  return {
    id,
    name: nameOf(walk),
    params,
    system,
    capabilities: capabilitiesOf(walk),
    call: (call) => callModel(deps, { id, end: walk.end }, call),
  }
}

/** What lies further out wins. */
export const layeredParams = ({ layers }: Walk): { params: Record<string, unknown>; system: string | null } => {
  const { system, ...params } = Object.assign({}, ...layers.toReversed().map((layer) => layer.params)) as Record<
    string,
    unknown
  >
  return { params, system: typeof system === 'string' && system !== '' ? system : null }
}

export const nameOf = ({ layers, end }: Walk): string =>
  layers[0]?.name ?? (end.kind === 'source' ? end.model.name : (end.by[0]?.listed.name ?? ''))

export const capabilitiesOf = ({ layers, end }: Walk): readonly string[] => {
  for (const { meta } of layers) if (Array.isArray(meta.capabilities)) return meta.capabilities as string[]
  return end.kind === 'served' ? (end.by[0]?.listed.capabilities ?? []) : []
}
