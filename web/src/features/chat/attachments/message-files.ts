/** The files of a message, as they are stored with it and sent with a completion. Pure. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { fileUrl } from './api.ts'

export interface MessageFile {
  type: 'file' | 'collection' | 'image'
  id: string
  name: string
  size?: number | undefined
}

const types = new Set<unknown>(['file', 'collection', 'image'])

export const isMessageFile = (value: unknown): value is MessageFile =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'type' in value &&
  types.has(value.type)

export const messageFilesOf = ({ files }: Message): MessageFile[] =>
  Array.isArray(files) ? files.filter(isMessageFile) : []

/** The sources that a reply may search: everything attached in the thread, each once. The question comes last. */
export function referencesIn(thread: readonly Message[]) {
  const asked = new Set(
    thread
      .slice(-1)
      .flatMap(messageFilesOf)
      .map(({ id }) => id),
  )
  const byId = new Map(thread.flatMap(messageFilesOf).map((file) => [file.id, file]))
  return [...byId.values()].flatMap(({ type, id }) =>
    type === 'image' ? [] : [{ type, id, status: 'processed' as const, ...(!asked.has(id) && { earlier: true }) }],
  )
}

/**
 * A message as the model gets it. Images are named by their address; the server puts the picture in its place. Those in
 * a reply are left out, since providers take images from people only.
 */
export function promptMessage(message: Message): ChatMessage {
  const { role, content } = message
  const images = messageFilesOf(message).filter(({ type }) => type === 'image')
  if (images.length === 0 || role !== 'user') return { role, content }
  const parts = images.map(({ id }) => ({ type: 'image_url', image_url: { url: fileUrl(id) } }))
  return { role, content: [{ type: 'text', text: content }, ...parts] }
}
