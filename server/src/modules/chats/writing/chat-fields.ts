/** Maps a sent chat object to columns. Fields that the contract does not name are stored as they are. Pure. */

import type { ChatPatch, MessagePatch } from '@chancery/contract/chats/chats.ts'
import { normalized } from '@chancery/contract/normalized.ts'
import { AppError } from '#kernel/errors.ts'
import { assertSafeKeys } from '#kernel/json/merge.ts'
import { isSameJson } from '#kernel/json/same-json.ts'
import type { ChatsTable } from '../tables.ts'
import type { Patches } from '../tree/history.ts'

/** Everything of a chat but its messages. */
const maxFieldBytes = 1_000_000

export type ChatFields = Pick<ChatsTable, 'title' | 'models' | 'params' | 'files' | 'tags' | 'extra' | 'timestampMs'>

/** The fields that differ after the merge. A sent field replaces the stored one; parameters are merged one by one. */
export const changedFields = (stored: ChatFields, sent: ChatPatch): Partial<ChatFields> => {
  const { title, models, params, files, tags, timestamp, messages: _, history: _h, currentId: _c, ...rest } = sent
  assertSafeKeys([params, files, rest])
  const merged: ChatFields = {
    title: title ?? stored.title,
    models: models ?? stored.models,
    params: params ? mergeParams(stored.params, params) : stored.params,
    files: files ?? stored.files,
    tags: tags ? tagNames(tags) : stored.tags,
    timestampMs: timestamp ?? stored.timestampMs,
    extra: { ...stored.extra, ...rest },
  }
  const names = Object.keys(merged) as (keyof ChatFields)[]
  const changed = names.filter((name) => !isSameJson(merged[name], stored[name]))
  if (changed.length > 0 && bytesOf([merged.params, merged.files, merged.extra]) > maxFieldBytes)
    throw new AppError('chat_too_large')
  return Object.fromEntries(changed.map((name) => [name, merged[name]]))
}

/** A parameter that is not sent stays; null removes one. */
const mergeParams = (stored: Record<string, unknown>, sent: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...stored, ...sent }).filter(([, value]) => value !== null))

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Trimmed and unique, ignoring case. Tags are sent as strings or as `{name}`. */
export const tagNames = (tags: readonly unknown[]): string[] => {
  const names = new Map<string, string>()
  for (const tag of tags) {
    const name = typeof tag === 'object' && tag !== null && 'name' in tag ? tag.name : tag
    if (typeof name !== 'string') continue
    const trimmed = normalized(name.trim()).slice(0, 60)
    if (trimmed !== '' && !names.has(trimmed.toLowerCase())) names.set(trimmed.toLowerCase(), trimmed)
  }
  return [...names.values()].slice(0, 50)
}

/** The history's map is the tree. The flat list counts only without a map: then each message follows the one before. */
export const messagesIn = ({ history, messages = [] }: ChatPatch): Patches => {
  const sent = Object.entries(history?.messages ?? {})
  if (sent.length > 0) return new Map(sent)
  const chain = new Map<string, MessagePatch>()
  let previousId: string | null = null
  for (const message of messages) {
    if (!message.id) throw new AppError('history_invalid', { detail: 'A message has no id.' })
    chain.set(message.id, { parentId: previousId, ...message })
    previousId = message.id
  }
  return chain
}

/** Undefined where the chat keeps its current id. */
export const currentIdIn = ({ history, currentId }: ChatPatch): string | null | undefined =>
  history?.currentId === undefined ? currentId : history.currentId
