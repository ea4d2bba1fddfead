/** Streams all chats of a person, chat by chat, so that one at a time is in memory. Each message is written once. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Outlet, RawReply } from '#kernel/http/raw-reply.ts'
import { nilId } from '#kernel/ids.ts'
import { exportText } from './chat-text.ts'
import type { ChatsContext } from './context.ts'
import { presentChat } from './present.ts'
import { findChat } from './queries/chats.ts'
import { listIdsAfter } from './queries/lists.ts'
import { listMessageTextsUnscoped } from './queries/messages.ts'

const idsAtOnce = 100

/** One chat per line, or the items of one array. */
const shapes = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', open: '', between: '\n', close: '\n' },
  json: { type: 'application/json; charset=utf-8', open: '[', between: ',\n', close: ']\n' },
}

export const exportChats = (
  { db }: Pick<ChatsContext, 'db'>,
  actor: Actor,
  { format }: { format: keyof typeof shapes },
): RawReply => {
  const { type, open, between, close } = shapes[format]
  const write = async (outlet: Outlet): Promise<void> => {
    outlet.write(open)
    let isFirst = true
    for await (const chat of chatsOf({ db }, actor)) {
      if (!outlet.isOpen) return
      if (!outlet.write((isFirst ? '' : between) + chat)) await outlet.drained()
      isFirst = false
    }
    if (format === 'json' || !isFirst) outlet.write(close)
  }
  return {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="chats.${format}"` },
    body: write,
  }
}

/** A chat that is deleted meanwhile is left out. */
async function* chatsOf({ db }: Pick<ChatsContext, 'db'>, actor: Actor): AsyncGenerator<string> {
  let ids = await listIdsAfter(db, actor, { id: nilId, limit: idsAtOnce })
  while (ids.length > 0) {
    for (const id of ids) {
      const chat = await findChat(db, actor, id)
      if (chat) yield exportText(presentChat(chat, []), await listMessageTextsUnscoped(db, id))
    }
    ids = await listIdsAfter(db, actor, { id: ids.at(-1) ?? nilId, limit: idsAtOnce })
  }
}
