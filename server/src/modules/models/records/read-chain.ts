/** Merges the records of a chain with its end. Pure. */
import { withoutRuntimeSettings } from '../drivers/runtime-settings.ts'
import type { ModelChain } from './model-chain.ts'
import type { ModelRecord } from './queries/models.ts'

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
export const filterIdsOf = ({ layers }: ModelChain): readonly string[] => {
  if (layers.length === 0) return []
  const ids = layers.flatMap(({ meta }) => (Array.isArray(meta.filterIds) ? meta.filterIds : []))
  return ids.filter((id) => typeof id === 'string')
}

export const nameOf = ({ layers, end }: ModelChain): string =>
  layers[0]?.name ?? (end.kind === 'source' ? end.model.name : (end.by[0]?.listed.name ?? ''))

export const contextLengthOf = ({ layers, end }: ModelChain): number | null => {
  for (const { meta } of layers) if (Number.isSafeInteger(meta.context_length)) return meta.context_length as number
  return end.kind === 'served' ? (end.by[0]?.listed.contextLength ?? null) : null
}

export const capabilitiesOf = ({ layers, end }: ModelChain): readonly string[] => {
  for (const { meta } of layers) if (Array.isArray(meta.capabilities)) return meta.capabilities as string[]
  return end.kind === 'served' ? (end.by[0]?.listed.capabilities ?? []) : []
}
