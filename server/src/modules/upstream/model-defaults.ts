/**
 * Puts a custom model's system prompt and parameters into a request, for each of the request formats. The request's own
 * parameters win; the model's system prompt comes before the request's. Pure.
 */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { nativeOptions } from '#modules/models/index.ts'

export type Fields = Record<string, unknown>

export interface ModelDefaults {
  params: Fields
  system: string | null
}

export type ApplyDefaults = (body: Fields, defaults: ModelDefaults) => Fields

const chat: ApplyDefaults = (body, { params, system }) => ({
  ...withNativeParameters(body, params),
  ...(system !== null && { messages: withSystemMessage(body.messages, system) }),
})

/** A raw prompt takes no system prompt: the caller has written the whole template. */
const generate: ApplyDefaults = (body, { params, system }) => ({
  ...withNativeParameters(body, params),
  ...(system !== null && body.raw !== true && { system: joined(system, body.system) }),
})

const completions: ApplyDefaults = (body, { params, system }) => ({
  ...params,
  ...body,
  ...(system !== null && { messages: withSystemMessage(body.messages, system) }),
})

const parameters: ApplyDefaults = (body, { params }) => ({ ...params, ...body })

const responses: ApplyDefaults = (body, { params, system }) => ({
  ...picked(params, { temperature: 'temperature', top_p: 'top_p', max_tokens: 'max_output_tokens' }),
  ...body,
  ...(system !== null && { instructions: joined(system, body.instructions) }),
})

const messages: ApplyDefaults = (body, { params, system }) => ({
  ...picked(params, { temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', max_tokens: 'max_tokens' }),
  ...body,
  ...(system !== null && {
    system: Array.isArray(body.system) ? [{ type: 'text', text: system }, ...body.system] : joined(system, body.system),
  }),
})

const nothing: ApplyDefaults = (body) => body

export const applyDefaults = { chat, generate, completions, parameters, responses, messages, nothing }

const withNativeParameters = (body: Fields, params: Fields): Fields => {
  const options = { ...nativeOptions(params), ...(isJsonObject(body.options) && body.options) }
  return {
    ...picked(params, { think: 'think', keep_alive: 'keep_alive', format: 'format' }),
    ...body,
    ...(Object.keys(options).length > 0 && { options }),
  }
}

const picked = (params: Fields, names: Record<string, string>): Fields => {
  const found: Fields = {}
  for (const [name, there] of Object.entries(names)) if (params[name] !== undefined) found[there] = params[name]
  return found
}

/** At most one system message, since many models accept no second one. */
const withSystemMessage = (given: unknown, system: string): unknown[] => {
  const [first, ...rest] = Array.isArray(given) ? given : []
  if (isJsonObject(first) && first.role === 'system' && typeof first.content === 'string')
    return [{ ...first, content: joined(system, first.content) }, ...rest]
  return [{ role: 'system', content: system }, ...(Array.isArray(given) ? given : [])]
}

const joined = (system: string, own: unknown): string =>
  typeof own === 'string' && own !== '' ? `${system}\n\n${own}` : system
