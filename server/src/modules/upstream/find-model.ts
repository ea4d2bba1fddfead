/** From the model's name in a request to the backends that serve it, if the caller may use it. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Backend, Models, ResolvedModel } from '#modules/models/index.ts'
import type { Fields } from './model-defaults.ts'
import { type ModelPath, providerPath } from './paths.ts'
import { modelNameIn } from './request-body.ts'

interface FoundModel {
  model: ResolvedModel
  /** In the order in which to try them. */
  backends: Backend[]
}

/** Throws `model_not_found` for models that are unknown, forbidden or not available through this path. */
export const findModel = async (
  models: Models,
  actor: Actor,
  { body, to }: { body: Fields; to: ModelPath },
): Promise<FoundModel> => {
  const name = modelNameIn(body)
  const servesProviders = providerPath(to) !== undefined
  if (!servesProviders && models.listRuntimes().length === 0) throw new AppError('no_runtime')
  const model = await resolveWithTag(models, actor, name)
  const found = await models.resolveBackends(actor, model.id)
  const backends = found.filter(({ type }) => servesProviders || type === 'upstream')
  if (backends.length === 0) throw new AppError('model_not_found')
  return { model, backends }
}

/** For a runtime, a name without a tag means `:latest`. */
const resolveWithTag = async (models: Models, actor: Actor, name: string): Promise<ResolvedModel> => {
  try {
    return await models.resolve(actor, name)
  } catch (problem) {
    const isUnknown = problem instanceof AppError && problem.code === 'model_not_found'
    if (!isUnknown || name.includes(':')) throw problem
    return models.resolve(actor, `${name}:latest`)
  }
}
