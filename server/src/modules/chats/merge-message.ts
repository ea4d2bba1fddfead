/** How one sent message merges into the stored one: pure. */
import type { MessagePatch } from '@chancery/contract/chats.ts'
import { AppError } from '#kernel/errors.ts'
import { mergeJson } from '#kernel/json/merge.ts'
import { isSameJson } from '#kernel/json/same-json.ts'

export type Role = 'user' | 'assistant' | 'system'

/** A stored message, as far as a merge looks at it. */
export interface StoredMessage {
  id: string
  parentId: string | null
  role: Role
  content: string
  done: boolean
  timestampSec: number
  /** Every field without a column of its own. */
  body: Record<string, unknown>
  /** A reply is being written into it. */
  isRunning: boolean
}

export type MessageChange = Omit<StoredMessage, 'isRunning'>

interface Merging {
  id: string
  patch: MessagePatch
  parentId: string | null
  nowSec: number
}

export const mergeMessage = (
  before: StoredMessage | undefined,
  { id, patch, parentId, nowSec }: Merging,
): MessageChange => {
  const { id: sentId = id, role, content, done, timestamp, parentId: _parent, childrenIds: _children, ...rest } = patch
  if (sentId !== id) throw new AppError('history_invalid', { detail: `The message ${id} carries another id.` })
  const mergedRole = role ?? before?.role
  if (!mergedRole) throw new AppError('history_invalid', { detail: `The new message ${id} has no role.` })
  const body = mergeJson(before?.body ?? {}, rest) as Record<string, unknown>
  const kept = { content: before?.content ?? '', done: before?.done ?? false }
  const text = before?.isRunning ? kept : mergeText(kept, { role: mergedRole, content, done })
  const timestampSec = timestamp ?? before?.timestampSec ?? nowSec
  return { id, parentId, role: mergedRole, ...text, timestampSec, body }
}

/** A tab that still shows an older state neither blanks a finished reply nor makes it unfinished. */
const mergeText = (
  kept: { content: string; done: boolean },
  sent: { role: Role; content: string | undefined; done: boolean | undefined },
): { content: string; done: boolean } => {
  const isFinished = sent.role === 'assistant' && kept.done
  const content = sent.content === undefined || (isFinished && sent.content === '') ? kept.content : sent.content
  return { content, done: isFinished || (sent.done ?? kept.done) }
}

export const isChanged = (before: StoredMessage, after: MessageChange): boolean =>
  before.parentId !== after.parentId ||
  before.role !== after.role ||
  before.content !== after.content ||
  before.done !== after.done ||
  before.timestampSec !== after.timestampSec ||
  !isSameJson(before.body, after.body)
