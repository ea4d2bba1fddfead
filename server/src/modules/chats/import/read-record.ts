/**
 * One exported record as a chat of ours: from our own export, or from a product with the same format. Its real quirks
 * are mended instead of refused: times as floats or in other units, null where a list belongs, roles and ids of other
 * kinds, links that lead nowhere or in a circle. Pure.
 */
import { ChatPatch } from '@chancery/contract/chats/chats.ts'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { storableJson } from '../tree/storable.ts'
import type { NewChat } from '../writing/create-chat.ts'
import { type Fields, readMessages, secondsOf } from './read-messages.ts'

export const readRecord = (value: unknown, { newId }: { newId(): string }): NewChat => {
  const record = storableJson(value)
  if (!isJsonObject(record)) throw new AppError('history_invalid', { detail: 'This is not a chat.' })
  // Some exports hold the chat object itself, without the record around it.
  const chat = isJsonObject(record.chat) ? record.chat : record
  const { messages, currentId } = readMessages(chat, { newId })
  if (messages.length === 0 && !isJsonObject(chat.history) && !Array.isArray(chat.messages))
    throw new AppError('history_invalid', { detail: 'This is not a chat: it has no messages.' })
  const patch = ChatPatch.safeParse({
    ...(chat === record ? {} : extraOf(chat)),
    ...fieldsOf(record, chat),
    history: { currentId, messages: Object.fromEntries(messages.map((message) => [message.id, message])) },
  })
  if (!patch.success) {
    const [issue] = patch.error.issues
    throw new AppError('history_invalid', { detail: `${issue?.path.join('.')}: ${issue?.message}` })
  }
  return {
    chat: patch.data,
    pinned: record.pinned === true,
    archived: record.archived === true,
    hasOwnTitle: true,
    ...dateField('createdAt', record.created_at),
    ...dateField('updatedAt', record.updated_at ?? record.created_at),
  }
}

/** The title of a record that could not be read. */
export const titleOf = (value: unknown): string | null => {
  if (!isJsonObject(value)) return null
  const title = value.title ?? (isJsonObject(value.chat) ? value.chat.title : undefined)
  return typeof title === 'string' ? title.slice(0, 200) : null
}

const known = new Set([
  'id',
  'title',
  'models',
  'params',
  'files',
  'tags',
  'timestamp',
  'messages',
  'history',
  'currentId',
])

const extraOf = (chat: Fields): Fields =>
  Object.fromEntries(Object.entries(chat).filter(([name, value]) => !known.has(name) && value !== null))

const fieldsOf = (record: Fields, chat: Fields): Fields => {
  const title = [record.title, chat.title].find((text) => typeof text === 'string' && text.trim() !== '')
  const tags = isJsonObject(record.meta) && Array.isArray(record.meta.tags) ? record.meta.tags : chat.tags
  const seconds = secondsOf(chat.timestamp)
  return {
    title: typeof title === 'string' ? title.slice(0, 500) : 'Imported chat',
    models: textsIn(chat.models),
    params: isJsonObject(chat.params) ? chat.params : {},
    files: Array.isArray(chat.files) ? chat.files.slice(0, 1000) : [],
    tags: Array.isArray(tags) ? tags.slice(0, 100) : [],
    ...(seconds === undefined ? {} : { timestamp: millisecondsOf(chat.timestamp, seconds) }),
  }
}

/** Our own are in milliseconds already; whatever else it was, its second is known. */
const millisecondsOf = (value: unknown, seconds: number): number =>
  Number.isSafeInteger(value) && Math.floor((value as number) / 1000) === seconds ? (value as number) : seconds * 1000

const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item.length <= 300).slice(0, 20)
    : []

const dateField = <Name extends string>(name: Name, value: unknown): Partial<Record<Name, Date>> => {
  const seconds = secondsOf(value)
  return seconds === undefined ? {} : ({ [name]: new Date(seconds * 1000) } as Record<Name, Date>)
}
