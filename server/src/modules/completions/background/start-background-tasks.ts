/** After a reply: title, tags and follow-up questions, where they were asked for. Nobody waits, and a failure is no news. */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import { isGuide, type ResolvedModel } from '#modules/models/index.ts'
import type { CompletionsContext } from '../context.ts'
import { firstUserText } from '../pipeline/message-text.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { LiveReply } from '../replies/live-reply.ts'
import { messageOf } from '../rounds/chunk.ts'
import { followUpsPrompt, tagsPrompt, titlePrompt } from './prompts.ts'
import { readFollowUps, readTags, readTitle, titleFrom } from './read-answer.ts'

const timeLimitMs = 60_000

interface Exchange {
  request: PipelineRequest
  reply: LiveReply
  messages: ChatMessage[]
  /** Undefined where the model is no language model, and nobody can be asked. */
  ask: ((prompt: string) => Promise<string>) | undefined
}

export const startBackgroundTasks = (context: CompletionsContext, request: PipelineRequest, reply: LiveReply): void => {
  const wishes = request.body.background_tasks ?? {}
  const work = [
    ...(wishes.title_generation === true && needsTitle(request) ? [giveTitle] : []),
    ...(wishes.tags_generation === true ? [giveTags] : []),
    ...(wishes.follow_up_generation === true ? [giveFollowUps] : []),
  ]
  if (work.length === 0) return
  context.tasks.run('completions.background', async () => {
    const answer = { role: 'assistant', content: reply.log.content }
    const messages = [...request.body.messages, answer]
    const ask = await asker(context, request)
    const results = await Promise.allSettled(work.map((give) => give(context, { request, reply, messages, ask })))
    for (const result of results)
      if (result.status === 'rejected') context.log.info({ err: result.reason }, 'A background task of a reply failed.')
  })
}

const defaultTitles = new Set(['', 'New Chat', 'New chat'])

/** The first exchange, or a chat that nobody has named. */
const needsTitle = ({ chat }: PipelineRequest): boolean =>
  chat !== undefined && (chat.messageCount <= 2 || defaultTitles.has(chat.title))

const asker = async (context: CompletionsContext, { actor, model }: PipelineRequest): Promise<Exchange['ask']> => {
  const chosen = await taskModelFor(context, actor, model)
  if (!chosen) return undefined
  return async (prompt) => {
    const body = { messages: [{ role: 'user', content: prompt }], stream: false }
    const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), context.calls.signal])
    const answer = await chosen.call({ actor, body, signal })
    return answer.kind === 'whole' ? messageOf(answer.completion).content : ''
  }
}

/** The caller's rights hold here too: a task model that is not theirs to use is passed over. */
const taskModelFor = async (
  { models, taskModel }: CompletionsContext,
  actor: PipelineRequest['actor'],
  model: ResolvedModel,
): Promise<ResolvedModel | undefined> => {
  const id = taskModel()
  if (id !== undefined && id !== model.id)
    try {
      return await models.resolve(actor, id)
    } catch {
      // The reply's own model will do.
    }
  return isGuide(model.id) ? undefined : model
}

const announce = ({ realtime }: CompletionsContext, { reply }: Exchange, event: { type: string; data: unknown }) => {
  const { chatId, messageId } = reply.place
  realtime.emit(reply.userId, { chat_id: chatId, message_id: messageId, data: event })
}

const giveTitle = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const asked = ask ? await ask(titlePrompt(messages)).catch(() => '') : ''
  const title = readTitle(asked) || titleFrom(firstUserText(messages))
  if (title === '') return
  await context.chats.setTitle(reply.place.chatId, title)
  announce(context, exchange, { type: 'chat:title', data: title })
}

const giveTags = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const tags = ask ? readTags(await ask(tagsPrompt(messages))) : []
  if (tags.length === 0) return
  await context.chats.setTags(reply.place.chatId, tags)
  announce(context, exchange, { type: 'chat:tags', data: { tags } })
}

const giveFollowUps = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const followUps = ask ? readFollowUps(await ask(followUpsPrompt(messages))) : []
  if (followUps.length === 0) return
  await context.chats.patchMessage(reply.place, { followUps })
  announce(context, exchange, { type: 'chat:message:follow_ups', data: { follow_ups: followUps } })
}
