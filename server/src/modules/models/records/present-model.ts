/** The contract's Model. Values that are not set are shown as the API's defaults, or 0 where there is none. */
import type { Model } from '@chancery/contract/models/models.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { ModelChain } from './model-chain.ts'
import type { ModelRecord } from './queries/models.ts'
import { capabilitiesOf, layeredParams, nameOf } from './read-chain.ts'

const usualParams = { temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0 }

/** For users of the model. Its system prompt is only for those who may change it. */
export const presentModel = (id: string, chain: ModelChain): Model => {
  const [outer] = chain.layers
  return {
    id,
    name: nameOf(chain),
    model: endIdOf(chain),
    base_model_id: outer?.baseModelId ?? null,
    meta: metaOf(outer, chain),
    params: numbersIn(layeredParams(chain).params),
    created_at: outer ? unixSeconds(outer.createdAt) : createdOf(chain),
    updated_at: outer ? unixSeconds(outer.updatedAt) : createdOf(chain),
    user_id: outer?.ownerKind === 'user' ? outer.ownerId : null,
    is_active: true,
    write_access: false,
  }
}

/** For those who may change it: with all parameters and grants. */
export const presentRecord = (record: ModelRecord, chain: ModelChain | undefined): Model => ({
  id: record.id,
  name: record.name,
  model: chain ? endIdOf(chain) : (record.baseModelId ?? record.id),
  base_model_id: record.baseModelId,
  meta: metaOf(record, chain),
  params: { ...numbersIn(record.params), ...record.params },
  created_at: unixSeconds(record.createdAt),
  updated_at: unixSeconds(record.updatedAt),
  user_id: record.ownerKind === 'user' ? record.ownerId : null,
  is_active: record.isActive,
  access_grants: record.grants === null ? null : [...record.grants],
  write_access: true,
})

const metaOf = (record: ModelRecord | undefined, chain: ModelChain | undefined): Model['meta'] => {
  const { description, capabilities, context_length, max_output_tokens, ...more } = record?.meta ?? {}
  return {
    ...more,
    description: textIn(description) ?? (chain?.end.kind === 'source' ? chain.end.model.description : ''),
    capabilities: Array.isArray(capabilities) ? capabilities : chain ? [...capabilitiesOf(chain)] : [],
    context_length: countIn(context_length) ?? listedLength(chain) ?? 0,
    max_output_tokens: countIn(max_output_tokens) ?? 0,
  }
}

const numbersIn = (params: Record<string, unknown>): Model['params'] => ({
  temperature: numberIn(params.temperature) ?? usualParams.temperature,
  top_p: numberIn(params.top_p) ?? usualParams.top_p,
  frequency_penalty: numberIn(params.frequency_penalty) ?? usualParams.frequency_penalty,
  presence_penalty: numberIn(params.presence_penalty) ?? usualParams.presence_penalty,
})

const endIdOf = ({ end }: ModelChain): string => (end.kind === 'source' ? end.model.id : (end.by[0]?.id ?? ''))

const createdOf = ({ end }: ModelChain): number => (end.kind === 'served' ? (end.by[0]?.listed.created ?? 0) : 0)

const listedLength = (chain: ModelChain | undefined): number | null =>
  chain?.end.kind === 'served' ? (chain.end.by[0]?.listed.contextLength ?? null) : null

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const countIn = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined)
