/** A model's name for a caller, as something that can be called. */
import { unixSeconds } from '#kernel/clock.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ModelsContext } from '../context.ts'
import type { ResolvedModel } from '../interface.ts'
import { getChain } from '../records/find-model.ts'
import type { ModelChain } from '../records/model-chain.ts'
import { capabilitiesOf, contextLengthOf, filterIdsOf, layeredParams, nameOf } from '../records/read-chain.ts'
import { callModel } from './call-model.ts'

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
    call: (call) => callModel(deps, { id, end: chain.end, contextLength: contextLengthOf(chain) }, call),
  }
}
