/** The messages of an exported chat, with whole links and ids of ours. Pure. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { isImageData } from '../writing/message-images.ts'

export type Fields = Record<string, unknown>

export interface ReadMessage extends Fields {
  id: string
  parentId: string | null
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The tree where there is one; else the flat list, in which one message follows the other. */
export const readMessages = (
  chat: Fields,
  { newId }: { newId(): string },
): { messages: ReadMessage[]; currentId: string | null } => {
  const history = isJsonObject(chat.history) ? chat.history : {}
  const sent = entriesOf(history.messages, chat.messages)
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const { key } of sent) {
    // Two messages whose ids differ only by capitals: the second gets another.
    ids.set(key, uuid.test(key) && !taken.has(key.toLowerCase()) ? key : newId())
    taken.add(key.toLowerCase())
  }
  const idOf = (value: unknown): string | null => (typeof value === 'string' ? (ids.get(value) ?? null) : null)
  const messages = sent.map(({ key, fields, previous }) => ({
    ...messageOf(fields),
    id: ids.get(key) ?? newId(),
    parentId: idOf(fields.parentId ?? previous),
    childrenIds: (Array.isArray(fields.childrenIds) ? fields.childrenIds : []).flatMap((id) => idOf(id) ?? []),
  }))
  cutCircles(messages)
  return { messages, currentId: idOf(history.currentId ?? chat.currentId) ?? messages.at(-1)?.id ?? null }
}

interface Entry {
  key: string
  fields: Fields
  /** In a flat list, the message before. */
  previous?: string | undefined
}

const entriesOf = (tree: unknown, list: unknown): Entry[] => {
  const branches = Object.entries(isJsonObject(tree) ? tree : {}).filter(([, message]) => isJsonObject(message))
  if (branches.length > 0) return branches.map(([key, fields]) => ({ key, fields: fields as Fields }))
  const flat = (Array.isArray(list) ? list : []).filter(isJsonObject)
  const keys = flat.map(({ id }, index) => (typeof id === 'string' && id !== '' ? id : `message ${index}`))
  return flat.map((fields, index) => ({ key: keys[index] ?? '', fields, previous: keys[index - 1] }))
}

/** The message at which a circle closes becomes a first one. */
const cutCircles = (messages: ReadMessage[]): void => {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const settled = new Set<string>()
  for (const start of messages) {
    const path = new Set<string>()
    for (let at: ReadMessage | undefined = start; at && !settled.has(at.id); at = byId.get(at.parentId ?? '')) {
      path.add(at.id)
      if (at.parentId !== null && path.has(at.parentId)) at.parentId = null
    }
    for (const id of path) settled.add(id)
  }
}

const roles: Record<string, string> = { user: 'user', assistant: 'assistant', system: 'system', developer: 'system' }

/**
 * Messages of tools are shown as replies; what they were is kept beside. A reply that was running there has ended. Images
 * among the parts of a message become its files.
 */
const messageOf = (fields: Fields): Fields => {
  const {
    id: _,
    parentId: _p,
    childrenIds: _c,
    if_content_hash: _h,
    role,
    content,
    done,
    timestamp,
    ...others
  } = fields
  const { models, model, modelName, modelIdx, ...rest } = others
  const given = typeof role === 'string' ? role : undefined
  const ours = given === undefined ? (model ? 'assistant' : 'user') : (roles[given] ?? 'assistant')
  const seconds = secondsOf(timestamp)
  const images = imagesAmong(content)
  return {
    ...rest,
    ...(images.length > 0 ? { files: [...(Array.isArray(rest.files) ? rest.files : []), ...images] } : {}),
    role: ours,
    content: textOf(content),
    ...(given !== undefined && !(given in roles) ? { originalRole: given } : {}),
    ...(Array.isArray(content) ? { contentParts: content.filter((part) => imageOf(part) === undefined) } : {}),
    ...(ours === 'assistant' || done === true ? { done: true } : {}),
    ...(seconds === undefined ? {} : { timestamp: seconds }),
    ...(Array.isArray(models) ? { models: models.filter(isName).slice(0, 20) } : {}),
    ...(isName(model) ? { model } : {}),
    ...(isName(modelName) ? { modelName } : {}),
    ...(Number.isInteger(modelIdx) && Number(modelIdx) >= 0 && Number(modelIdx) <= 100 ? { modelIdx } : {}),
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value.length <= 300

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (Array.isArray(content))
    return content
      .flatMap((part) => (isJsonObject(part) && typeof part.text === 'string' ? [part.text] : []))
      .join('\n')
  return content === null || content === undefined ? '' : JSON.stringify(content)
}

const imageOf = (part: unknown): string | undefined => {
  const image = isJsonObject(part) ? part.image_url : undefined
  const url = isJsonObject(image) ? image.url : image
  return isImageData(url) ? url : undefined
}

const imagesAmong = (content: unknown): Fields[] =>
  (Array.isArray(content) ? content : []).flatMap((part) => {
    const url = imageOf(part)
    return url === undefined ? [] : [{ type: 'image', url }]
  })

/** Unix seconds, from seconds with a fraction, milliseconds, microseconds or nanoseconds. */
export const secondsOf = (value: unknown): number | undefined => {
  let seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return undefined
  while (seconds > 99_999_999_999) seconds /= 1000
  return Math.floor(seconds)
}
