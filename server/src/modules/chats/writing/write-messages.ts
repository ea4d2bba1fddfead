/**
 * Merges sent messages into a chat whose row the caller has locked. It reads and writes only the rows that the messages
 * touch; the whole tree is checked only when a stored message moves to another parent.
 */
import type { ChatPatch } from '@chancery/contract/chats/chats.ts'
import { unixSeconds } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { ChatRow } from '../queries/chats.ts'
import {
  findMessageIdUnscoped,
  listLinksUnscoped,
  readStoredUnscoped,
  saveMessagesUnscoped,
} from '../queries/messages.ts'
import {
  assertTree,
  idsTouchedBy,
  type MergePlan,
  maxBytes,
  maxMessages,
  parentsIn,
  planMerge,
} from '../tree/history.ts'
import { findSpelling, spellIds } from '../tree/message-ids.ts'
import { currentIdIn, messagesIn } from './chat-fields.ts'

interface Outcome {
  plan: MergePlan
  grownBytes: number
  currentId: string | null
}

export const writeMessages = async (
  tx: Db,
  chat: Pick<ChatRow, 'id' | 'userId' | 'currentId' | 'messageCount' | 'byteSize'>,
  request: { sent: ChatPatch; now: Date },
): Promise<Outcome> => {
  const { sent, now } = request
  const sentMessages = messagesIn(sent)
  const stored = await readStoredUnscoped(tx, chat.id, chat.messageCount === 0 ? [] : idsTouchedBy(sentMessages))
  const patches = spellIds(sentMessages, stored.keys())
  const plan = planMerge(stored, patches, { nowSec: unixSeconds(now) })
  if (plan.added + chat.messageCount > maxMessages) throw new AppError('chat_too_large')
  if (plan.hasMoved) {
    const all = parentsIn(await listLinksUnscoped(tx, chat.id))
    assertTree(new Map([...all, ...parentsIn(plan.changed)]))
  }
  const grownBytes = await saveMessagesUnscoped(tx, chat, plan.changed)
  if (grownBytes > 0 && grownBytes + chat.byteSize > maxBytes) throw new AppError('chat_too_large')
  return { plan, grownBytes, currentId: await settleCurrentId(tx, chat, { sent, plan }) }
}

/** A sent current id must be a message of this chat. Without any, the last new message becomes the current one. */
const settleCurrentId = async (
  tx: Db,
  chat: Pick<ChatRow, 'id' | 'currentId'>,
  { sent, plan }: { sent: ChatPatch; plan: MergePlan },
): Promise<string | null> => {
  const wanted = currentIdIn(sent)
  if (wanted === undefined || wanted === null) return wanted ?? chat.currentId ?? plan.changed.at(-1)?.id ?? null
  const touchedIds = [...(chat.currentId ? [chat.currentId] : []), ...plan.changed.map(({ id }) => id)]
  const known = findSpelling(touchedIds, wanted) ?? (await findMessageIdUnscoped(tx, chat.id, wanted))
  if (!known)
    throw new AppError('history_invalid', { detail: 'The current id names a message that the chat does not have.' })
  return known
}
