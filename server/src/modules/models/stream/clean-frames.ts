/**
 * The parts of a provider's frames that may reach a caller: chunks, with the fields that the API has and no others,
 * failures, and the end. Clients of this kind of gateway take an `event` object for an event of the server, which may
 * even be executed, and other fields for sources or titles that the server found; so none of them passes, whatever the
 * door. Frames that are clean pass as the bytes that came.
 */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

const fields = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
])

/** The new value of a frame; undefined drops it, the value itself leaves the frame as it is. */
export type Clean = (value: Record<string, unknown>, name: string | null) => Record<string, unknown> | undefined

/** Of the chat-completion API, and of completions of a text. */
export const cleanChunk: Clean = (value) => {
  if (holdsEvent(value)) return undefined
  if (value.error) return Object.keys(value).length === 1 ? value : { error: value.error }
  if (!Array.isArray(value.choices) && !isJsonObject(value.usage)) return undefined
  return Object.keys(value).every((name) => fields.has(name) || isNoError(value, name)) ? value : knownFields(value)
}

/** The same for a reply that is not streamed. Its object is new. */
export const knownFields = (completion: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(completion).filter(([name]) => fields.has(name)))

const isNoError = (value: Record<string, unknown>, name: string): boolean => name === 'error' && value.error === null

/** Of APIs whose events have a type, such as responses: a frame may be named after it, and not otherwise. */
export const cleanTyped: Clean = (value, name) => {
  const { type } = value
  if (holdsEvent(value)) return undefined
  if (value.error && type === undefined) return { error: value.error }
  return typeof type === 'string' && (name === null || name === type) ? value : undefined
}

/** Of a whole reply of such an API. The value itself if there is none. */
export const withoutEvent = (value: Record<string, unknown>): Record<string, unknown> => {
  if (!holdsEvent(value)) return value
  const { event: _event, ...rest } = value
  return rest
}

const holdsEvent = ({ event }: Record<string, unknown>): boolean => typeof event === 'object' && event !== null
