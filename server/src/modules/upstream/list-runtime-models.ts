/** The models of all runtimes in one list, under the gateway's names, and only those that the caller may use. */
import type { ModelItem } from '@chancery/contract/models/models.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Backend, Models } from '#modules/models/index.ts'
import { readJsonOf } from './read-json.ts'

/** The longest wait for a runtime. After that its models are listed without details. */
const patienceMs = 2000

interface RuntimeModel {
  item: ModelItem
  /** The runtimes that serve it. */
  backends: readonly Backend[]
}

export const findRuntimeModels = async (models: Models, actor: Actor): Promise<RuntimeModel[]> => {
  if (models.listRuntimes().length === 0) throw new AppError('no_runtime')
  const found = await Promise.all(
    (await models.list(actor)).map(async (item) => ({ item, backends: await runtimesOf(models, actor, item.id) })),
  )
  return found.filter(({ backends }) => backends.length > 0)
}

const runtimesOf = async (models: Models, actor: Actor, modelId: string): Promise<Backend[]> => {
  try {
    return (await models.resolveBackends(actor, modelId)).filter(({ type }) => type === 'upstream')
  } catch (problem) {
    // Models that are code have no backends, and a model may have gone since it was listed.
    if (problem instanceof AppError && problem.code === 'model_not_found') return []
    throw problem
  }
}

/** In the shape of `/api/tags`. */
export const listTags = async (models: Models, actor: Actor): Promise<{ models: unknown[] }> => {
  const found = await findRuntimeModels(models, actor)
  const tags = new Map<string, Map<string, object>>()
  await Promise.all(
    models.listRuntimes().map(async (runtime) => tags.set(runtime.connectionId, await readTags(runtime))),
  )
  return {
    models: found.map(({ item, backends }) => {
      const [entry] = backends.flatMap(({ connectionId, nativeId }) => tags.get(connectionId)?.get(nativeId) ?? [])
      return { ...(entry ?? unknownEntry(item)), name: item.id, model: item.id }
    }),
  }
}

/** In the shape of `/v1/models`. */
export const listCompatModels = async (models: Models, actor: Actor): Promise<{ object: 'list'; data: object[] }> => ({
  object: 'list',
  data: (await findRuntimeModels(models, actor)).map(({ item: { id, created, owned_by } }) => ({
    id,
    object: 'model',
    created,
    owned_by,
  })),
})

const readTags = async (runtime: Backend): Promise<Map<string, object>> => {
  const signal = AbortSignal.timeout(patienceMs)
  const body = await readJsonOf(runtime, { path: '/api/tags', signal }).catch(() => undefined)
  const entries = (body as { models?: unknown } | null | undefined)?.models
  const named = (Array.isArray(entries) ? entries : []).flatMap((entry: { model?: string; name?: string } | null) => {
    const id = entry?.model ?? entry?.name
    return entry && typeof id === 'string' ? [[id, entry] as const] : []
  })
  return new Map(named)
}

const unknownEntry = ({ created }: ModelItem): object => ({
  modified_at: new Date(created * 1000).toISOString(),
  size: 0,
  digest: '',
  details: { parent_model: '', format: '', family: '', families: null, parameter_size: '', quantization_level: '' },
})
