/** Merges one sent message into the stored one. Pure. */
import { createHash } from 'node:crypto'
import type { MessagePatch } from '@chancery/contract/chats/chats.ts'
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
  const { id: sentId = id, role, content, done, timestamp, if_content_hash: seenHash, ...others } = patch
  const { parentId: _parent, childrenIds: _children, ...rest } = others
  if (sentId !== id) throw new AppError('history_invalid', { detail: `The message ${id} carries another id.` })
  const mergedRole = role ?? before?.role
  if (!mergedRole) throw new AppError('history_invalid', { detail: `The new message ${id} has no role.` })
  const body = mergeJson(before?.body ?? {}, rest) as Record<string, unknown>
  const kept = { content: before?.content ?? '', done: before?.done ?? false }
  if (before?.isRunning && seenHash !== undefined) throw new AppError('reply_running')
  const text = before?.isRunning ? kept : mergeText(kept, { role: mergedRole, content, done, seenHash })
  const timestampSec = timestamp ?? before?.timestampSec ?? nowSec
  return { id, parentId, role: mergedRole, ...text, timestampSec, body }
}

interface SentText {
  role: Role
  content: string | undefined
  done: boolean | undefined
  seenHash: string | undefined
}

/**
 * A tab that still shows an older state can neither blank a finished reply, nor make it unfinished, nor put its fragment
 * over it: changing the text takes the hash of the text that was seen.
 */
const mergeText = (kept: { content: string; done: boolean }, sent: SentText): { content: string; done: boolean } => {
  const isFinished = sent.role === 'assistant' && kept.done
  const needsHash = isFinished && sent.content !== undefined && sent.content !== '' && sent.content !== kept.content
  if (sent.seenHash === undefined ? needsHash : sent.seenHash !== hashOf(kept.content))
    throw new AppError('content_changed')
  const content = sent.content === undefined || (isFinished && sent.content === '') ? kept.content : sent.content
  return { content, done: isFinished || (sent.done ?? kept.done) }
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')

export const isChanged = (before: StoredMessage, after: MessageChange): boolean =>
  before.parentId !== after.parentId ||
  before.role !== after.role ||
  before.content !== after.content ||
  before.done !== after.done ||
  before.timestampSec !== after.timestampSec ||
  !isSameJson(before.body, after.body)
