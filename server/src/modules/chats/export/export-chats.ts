/** Streams all chats of a person, chat by chat, so that one at a time is in memory. Each message is written once. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Outlet, RawReply } from '#kernel/http/replies/raw-reply.ts'
import { nilId } from '#kernel/ids.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { ChatsContext } from '../context.ts'
import { presentChat } from '../present.ts'
import { type ChatRow, findChat } from '../queries/chats.ts'
import { listIdsAfter } from '../queries/lists.ts'
import { listMessageTextsUnscoped, type MessageTextRow } from '../queries/messages.ts'
import { exportText } from '../reading/chat-text.ts'
import { getChat } from '../reading/read-chat.ts'
import { inlineImages } from './inline-images.ts'

type Deps = Pick<ChatsContext, 'blobs' | 'db' | 'files'>

const idsAtOnce = 100

/** One chat per line, or the items of one array. */
const shapes = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', open: '', between: '\n', close: '\n' },
  json: { type: 'application/json; charset=utf-8', open: '[', between: ',\n', close: ']\n' },
}

interface Request {
  format: keyof typeof shapes
  /** Only this one. */
  chatId: string | undefined
}

/** Throws `chat_not_found`. */
export const exportChats = async (context: Deps, actor: Actor, { format, chatId }: Request): Promise<RawReply> => {
  if (chatId !== undefined) await getChat(context.db, actor, chatId)
  const ids = chatId === undefined ? idsOf(context, actor) : [chatId]
  const { type, open, between, close } = shapes[format]
  const write = async (outlet: Outlet): Promise<void> => {
    outlet.write(open)
    let isFirst = true
    for await (const chat of chatsOf(context, actor, ids)) {
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

async function* idsOf({ db }: Deps, actor: Actor): AsyncGenerator<string> {
  let ids = await listIdsAfter(db, actor, { id: nilId, limit: idsAtOnce })
  while (ids.length > 0) {
    yield* ids
    ids = await listIdsAfter(db, actor, { id: ids.at(-1) ?? nilId, limit: idsAtOnce })
  }
}

type Ids = AsyncIterable<string> | Iterable<string>

/** A chat that is deleted meanwhile is left out. */
async function* chatsOf(context: Deps, actor: Actor, ids: Ids): AsyncGenerator<string> {
  for await (const id of ids) {
    const chat = await findChat(context.db, actor, id)
    if (!chat) continue
    const whole = await withImages(context, { chat, rows: await listMessageTextsUnscoped(context.db, id) })
    yield exportText(presentChat(whole.chat, []), whole.rows)
  }
}

interface Exported {
  chat: ChatRow
  rows: readonly MessageTextRow[]
}

/** The images themselves, so that an export can be imported anywhere. */
const withImages = async (context: Deps, { chat, rows }: Exported): Promise<Exported> => {
  const bodies = rows.map(({ bodyText }) =>
    bodyText.includes('"image"') ? (parseOwn(bodyText) as { files?: unknown }) : undefined,
  )
  const lists = bodies.map((body) => body?.files)
  const inlined = await inlineImages(context, chat.userId, [...lists, chat.files])
  const files = inlined.pop() as unknown[]
  const texts = rows.map((row, index) =>
    inlined[index] === lists[index]
      ? row
      : { ...row, bodyText: JSON.stringify({ ...bodies[index], files: inlined[index] }) },
  )
  return { chat: { ...chat, files }, rows: texts }
}
