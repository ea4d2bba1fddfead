/** Models as JSON. A connection's key has no presenter. */
import type { ModelItem } from '@chancery/contract/models/models.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { ModelChain } from './model-chain.ts'
import { capabilitiesOf, nameOf } from './read-chain.ts'

export const presentItem = (id: string, chain: ModelChain): ModelItem => {
  const { layers, end } = chain
  const [outer] = layers
  const capabilities = capabilitiesOf(chain)
  const isCustom = outer !== undefined && outer.baseModelId !== null
  const description = outer?.meta.description ?? (end.kind === 'source' ? end.model.description : undefined)
  return {
    id,
    name: nameOf(chain),
    object: 'model',
    created: isCustom ? unixSeconds(outer.createdAt) : createdOf(end),
    owned_by: end.kind === 'source' ? end.model.ownedBy : (end.by[0]?.listed.ownedBy ?? ''),
    connection_type: typeOf(end),
    tags: tagsOf(chain),
    ...(typeof description === 'string' ? { description } : {}),
    ...(capabilities.length > 0 ? { capabilities: [...capabilities] } : {}),
    ...(isCustom ? { base_model_id: outer.baseModelId } : {}),
    ...(isUnavailable(end) ? { unavailable: true } : {}),
  }
}

const createdOf = (end: ModelChain['end']): number => (end.kind === 'served' ? (end.by[0]?.listed.created ?? 0) : 0)

const typeOf = (end: ModelChain['end']): ModelItem['connection_type'] => {
  if (end.kind === 'source') return 'internal'
  return end.by[0]?.connection.settings.type === 'upstream' ? 'local' : 'external'
}

const tagsOf = ({ layers, end }: ModelChain): { name: string }[] => {
  const own = layers.flatMap(({ meta }) => (Array.isArray(meta.tags) ? (meta.tags as { name: string }[]) : []))
  const theirs = end.kind === 'served' ? end.by.flatMap(({ connection }) => connection.settings.tags) : []
  return [...new Set([...own.map(({ name }) => name), ...theirs])].map((name) => ({ name }))
}

const isUnavailable = (end: ModelChain['end']): boolean =>
  end.kind === 'served' && end.by.every(({ connection, listed }) => !connection.health.isAvailable(listed.id))
