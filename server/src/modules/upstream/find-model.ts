/** From the name in a request to what serves it, as far as the caller may use it. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Backend, Models, ResolvedModel } from '#modules/models/index.ts'
import type { Fields } from './dress-request.ts'
import { type ModelPath, providerPath } from './paths.ts'

interface FoundModel {
  model: ResolvedModel
  /** In the order in which to try them. */
  backends: Backend[]
}

/** Throws `model_not_found` for what is unknown, not the caller's, or not to be had by this path, alike. */
export const findModel = async (
  models: Models,
  actor: Actor,
  { body, to }: { body: Fields; to: ModelPath },
): Promise<FoundModel> => {
  const name = modelNameIn(body)
  const isProvidersToo = providerPath(to) !== undefined
  if (!isProvidersToo && models.listRuntimes().length === 0) throw new AppError('no_runtime')
  const model = await resolveAsClientsMean(models, actor, name)
  const found = await models.resolveBackends(actor, model.id)
  const backends = found.filter(({ type }) => isProvidersToo || type === 'upstream')
  if (backends.length === 0) throw new AppError('model_not_found')
  return { model, backends }
}

/** `name` is how older clients say it. */
const modelNameIn = ({ model, name }: Fields): string => {
  const found = model ?? name
  if (typeof found !== 'string') throw new AppError('model_not_found')
  return found
}

/** To a runtime, a name without a tag means the latest one. */
const resolveAsClientsMean = async (models: Models, actor: Actor, name: string): Promise<ResolvedModel> => {
  try {
    return await models.resolve(actor, name)
  } catch (problem) {
    const isUnknown = problem instanceof AppError && problem.code === 'model_not_found'
    if (!isUnknown || name.includes(':')) throw problem
    return models.resolve(actor, `${name}:latest`)
  }
}
