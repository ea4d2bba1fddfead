/**
 * Images that come as data URLs in the `files` of messages. They are stored once, as files of the chat's owner, and the
 * message names them. What can't become a file stays in the message as it came, so that no message is lost. Pure.
 */
import type { ChatPatch, MessagePatch } from '@chancery/contract/chats/chats.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { ImageBytes } from '#modules/files/index.ts'

type Entry = Record<string, unknown>

const dataUrlStart = /^data:image\/[\w.+-]{1,40};base64,/i

export const isImageData = (url: unknown): url is string => typeof url === 'string' && dataUrlStart.test(url)

const entriesOf = (files: unknown): Entry[] => (Array.isArray(files) ? files.filter(isJsonObject) : [])

/** The `files` of each message, and of the chat. */
export const fileListsIn = ({ files, messages = [], history }: ChatPatch): unknown[] => [
  ...[...messages, ...Object.values(history?.messages ?? {})].map((message) => message.files),
  files,
]

/** The limit for one request. Each image costs several writes, and can be a few bytes. */
const maxImages = 200

/** By their data URLs, each once, the first ones of too many. They are decoded one by one while they are read. */
export function* imagesIn(fileLists: readonly unknown[]): Generator<[string, ImageBytes]> {
  const seen = new Set<string>()
  for (const { url, name } of fileLists.flatMap(entriesOf)) {
    if (seen.size === maxImages) return
    if (!isImageData(url) || seen.has(url)) continue
    seen.add(url)
    const bytes = decode(url)
    if (bytes) yield [url, { name: typeof name === 'string' ? name : '', bytes }]
  }
}

/** Undefined for what isn't base64 to its end. */
const decode = (url: string): Buffer | undefined => {
  const text = url.slice(url.indexOf(',') + 1)
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return bytes.length > 0 && bytes.length === Math.floor((text.length * 3) / 4) - padding ? bytes : undefined
}

type Stored = ReadonlyMap<string, { id: string; name: string }>
/** The name of an image that isn't stored, before it became a data URL. */
export type FormerUrls = ReadonlyMap<unknown, unknown>

/** The same list with the stored images by their ids. Whatever is no list stays as it is. */
export const namingFiles = (files: unknown, stored: Stored, former: FormerUrls = new Map()): unknown => {
  if (!Array.isArray(files)) return files
  return files.map((entry: unknown) => {
    if (!isJsonObject(entry)) return entry
    const file = typeof entry.url === 'string' ? stored.get(entry.url) : undefined
    if (!file) return former.has(entry.url) ? { ...entry, url: former.get(entry.url) } : entry
    const name = typeof entry.name === 'string' && entry.name !== '' ? entry.name : file.name
    return { ...entry, type: 'image', id: file.id, name, url: `/api/v1/files/${file.id}/content` }
  })
}

export const namingImages = (sent: ChatPatch, stored: Stored, former: FormerUrls = new Map()): ChatPatch => {
  if (stored.size + former.size === 0) return sent
  const named = (message: MessagePatch): MessagePatch =>
    message.files === undefined ? message : { ...message, files: namingFiles(message.files, stored, former) }
  const { files, messages, history } = sent
  const tree = Object.entries(history?.messages ?? {}).map(([id, message]) => [id, named(message)])
  return {
    ...sent,
    ...(files && { files: namingFiles(files, stored) as unknown[] }),
    ...(messages && { messages: messages.map(named) }),
    ...(history && { history: { ...history, ...(history.messages && { messages: Object.fromEntries(tree) }) } }),
  }
}
