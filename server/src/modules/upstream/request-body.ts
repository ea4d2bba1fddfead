/** Reads the body of a passthrough request and writes the one that leaves. Pure. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { foldName, isSteeringField } from '#modules/models/index.ts'
import type { Fields } from './model-defaults.ts'

/** Older clients write `name`. */
export const modelNameIn = ({ model, name }: Fields): string => {
  const found = model ?? name
  if (typeof found !== 'string') throw new AppError('model_not_found')
  return found
}

/** With the backend's name for the model, and nothing that would steer the request elsewhere. */
export const outgoingBody = (body: Fields): ((nativeId: string) => string) => {
  const field = body.model === undefined ? 'name' : 'model'
  const rest = Object.entries(body).filter(([name]) => !namesModel(name) && !isSteeringField(name))
  return (nativeId) => JSON.stringify(Object.fromEntries([[field, nativeId], ...rest]))
}

/** In any case of letters: runtimes written in Go read `Model` as `model`, and of two the last one counts. */
const namesModel = (name: string): boolean => ['model', 'name'].includes(foldName(name))

/**
 * True for a request that only unloads a model from memory, which is how runtimes spell it: an empty prompt with a
 * keep-alive of zero. Everybody else then waits for the model to load again, so only the platform admin may do it.
 */
export const isUnload = ({ keep_alive, prompt, messages, input }: Fields): boolean =>
  isZero(keep_alive) && isBlank(prompt) && isBlank(messages) && isBlank(input)

const isZero = (keepAlive: unknown): boolean =>
  keepAlive === 0 || (typeof keepAlive === 'string' && /^\s*[+-]?0+(\.0*)?(ns|us|µs|ms|s|m|h)?\s*$/.test(keepAlive))

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The most tokens of an answer, where the request has no limit of its own, as the path's API names it. */
export const withLimit = (path: string, body: Fields, limit: number | undefined): Fields => {
  if (limit === undefined) return body
  if (path.startsWith('/api/'))
    return { ...body, options: { ...(isJsonObject(body.options) && body.options), num_predict: limit } }
  return { ...body, [path.endsWith('/responses') ? 'max_output_tokens' : 'max_tokens']: limit }
}
