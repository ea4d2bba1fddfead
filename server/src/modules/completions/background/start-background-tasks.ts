/** After a reply: generates title, tags and follow-up questions, if requested. Nobody waits; failures are only logged. */
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
  /** Undefined if no language model is available. */
  ask: ((prompt: string) => Promise<string>) | undefined
}

export const startBackgroundTasks = (context: CompletionsContext, request: PipelineRequest, reply: LiveReply): void => {
  const requested = request.body.background_tasks ?? {}
  const work = [
    ...(requested.title_generation === true && needsTitle(request) ? [generateTitle] : []),
    ...(requested.tags_generation === true ? [generateTags] : []),
    ...(requested.follow_up_generation === true ? [generateFollowUps] : []),
  ]
  if (work.length === 0) return
  context.tasks.run('completions.background', async () => {
    const answer = { role: 'assistant', content: reply.log.content }
    const messages = [...request.body.messages, answer]
    const ask = await askTaskModel(context, request)
    const results = await Promise.allSettled(
      work.map((generate) => generate(context, { request, reply, messages, ask })),
    )
    for (const result of results)
      if (result.status === 'rejected') context.log.info({ err: result.reason }, 'A background task of a reply failed.')
  })
}

const defaultTitles = new Set(['', 'New Chat', 'New chat'])

/** For the first exchange, or a chat without a title. */
const needsTitle = ({ chat }: PipelineRequest): boolean =>
  chat !== undefined && (chat.messageCount <= 2 || defaultTitles.has(chat.title))

const askTaskModel = async (
  context: CompletionsContext,
  { actor, model }: PipelineRequest,
): Promise<Exchange['ask']> => {
  const chosen = await taskModelFor(context, actor, model)
  if (!chosen) return undefined
  return async (prompt) => {
    const body = { messages: [{ role: 'user', content: prompt }], stream: false }
    const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), context.calls.signal])
    const answer = await chosen.call({ actor, body, signal })
    return answer.kind === 'whole' ? messageOf(answer.completion).content : ''
  }
}

/** The caller's access applies here too: a task model that they may not use is skipped. */
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
      // The reply's own model is used instead.
    }
  return isGuide(model.id) ? undefined : model
}

const announce = ({ realtime }: CompletionsContext, { reply }: Exchange, event: { type: string; data: unknown }) => {
  const { chatId, messageId } = reply.ref
  realtime.emit(reply.userId, { chat_id: chatId, message_id: messageId, data: event })
}

const generateTitle = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const asked = ask ? await ask(titlePrompt(messages)).catch(() => '') : ''
  const title = readTitle(asked) || titleFrom(firstUserText(messages))
  if (title === '') return
  const isSet = await context.chats.setTitle(reply.ref.chatId, title)
  if (isSet) announce(context, exchange, { type: 'chat:title', data: title })
}

const generateTags = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const tags = ask ? readTags(await ask(tagsPrompt(messages))) : []
  if (tags.length === 0) return
  const isSet = await context.chats.setTags(reply.ref.chatId, tags)
  if (isSet) announce(context, exchange, { type: 'chat:tags', data: { tags } })
}

const generateFollowUps = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const followUps = ask ? readFollowUps(await ask(followUpsPrompt(messages))) : []
  if (followUps.length === 0) return
  await context.chats.patchMessage(reply.ref, { followUps })
  announce(context, exchange, { type: 'chat:message:follow_ups', data: { follow_ups: followUps } })
}
