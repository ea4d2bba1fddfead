/**
 * A person's rating of a reply: on the message, where their tabs show it, and in the report of administrators. The
 * report has the reason and the model, never the conversation.
 */
import type { RatingBody } from '@chancery/contract/chats/ratings.ts'
import type { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ChatsContext } from '../context.ts'
import type { MessageRef } from '../interface.ts'
import { lockChat, updateChatUnscoped } from '../queries/chats.ts'
import { findMessageUnscoped, listChildLinksUnscoped, type MessageRow } from '../queries/messages.ts'
import { deleteRatingUnscoped, saveRatingUnscoped } from '../queries/ratings.ts'
import { rewriteMessageUnscoped, withFields } from '../queries/rewrite.ts'
import { storableText } from '../tree/storable.ts'
import { announceChange } from '../writing/announce.ts'

type Rating = z.infer<typeof RatingBody>

const modelOf = ({ body }: MessageRow): string => (typeof body.model === 'string' ? body.model : '')

export const rateMessage = (
  context: ChatsContext,
  actor: Actor,
  { ref, rating }: { ref: MessageRef; rating: Rating },
) => {
  const reason = storableText(rating.reason)
  const isGood = rating.rating === 'good'
  return annotate(context, actor, {
    ref,
    annotation: { rating: isGood ? 1 : -1, reason },
    save: (tx, message) =>
      saveRatingUnscoped(tx, {
        chatId: ref.chatId,
        messageId: message.id,
        userId: actor.id,
        userName: actor.name,
        organizationId: actor.organizationId,
        model: modelOf(message),
        isGood,
        reason,
        ratedAt: context.clock.now(),
      }),
  })
}

/** Safe to repeat. */
export const withdrawRating = (context: ChatsContext, actor: Actor, ref: MessageRef): Promise<void> =>
  annotate(context, actor, { ref, annotation: null, save: (tx) => deleteRatingUnscoped(tx, ref) })

interface Annotating {
  ref: MessageRef
  annotation: { rating: number; reason: string } | null
  save: (tx: Db, message: MessageRow) => Promise<unknown>
}

/** The chat keeps its time: a rating doesn't move it to the top of the list. */
const annotate = async (context: ChatsContext, actor: Actor, { ref, annotation, save }: Annotating): Promise<void> => {
  await context.requireWritable(context.db, actor)
  const { chat, message } = await context.db.transaction().execute(async (tx) => {
    if (!(await lockChat(tx, actor, ref.chatId))) throw new AppError('chat_not_found')
    const found = await findMessageUnscoped(tx, ref.chatId, ref.messageId)
    if (found?.role !== 'assistant') throw new AppError('message_not_found')
    const grownBytes = (await rewriteMessageUnscoped(tx, ref, { body: withFields({ annotation }) })) ?? 0
    await save(tx, found)
    return {
      chat: await updateChatUnscoped(tx, ref.chatId, { grownBytes }),
      message: { ...found, body: { ...found.body, annotation } },
    }
  })
  const links = await listChildLinksUnscoped(context.db, ref.chatId, [message.id])
  announceChange(context, chat, { messages: [message], links })
}
