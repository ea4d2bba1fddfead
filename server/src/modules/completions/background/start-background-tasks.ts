/** After a reply: generates title, tags and follow-up questions, if requested. Nobody waits; failures are only logged. */

import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import type { UiEvent } from '@chancery/contract/chats/events.ts'
import { isGuide, type ResolvedModel } from '#modules/models/index.ts'
import type { CompletionsContext } from '../context.ts'
import { firstUserText, textOf } from '../pipeline/message-text.ts'
import { filterContextOf, type PipelineRequest } from '../pipeline/request.ts'
import { chunkFilter, filtersFor, runInlet, runOutlet } from '../pipeline/run-filters.ts'
import type { LiveReply } from '../replies/live-reply.ts'
import { messageOf } from '../rounds/chunk.ts'
import { filterWhole } from '../rounds/filter-whole.ts'
import { followUpsPrompt, tagsPrompt, titlePrompt } from './prompts.ts'
import { readFollowUps, readTags, readTitle, titleFrom } from './read-answer.ts'

const timeLimitMs = 60_000

interface Exchange {
  request: PipelineRequest
  reply: LiveReply
  messages: ChatMessage[]
  /** Undefined if no language model is available. */
  ask: ((task: string, prompt: string) => Promise<string>) | undefined
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

/**
 * Text that the filters of a request keep from a model is kept from the task model too, whatever its own filters are.
 * They are told which task it is.
 */
const askTaskModel = async (context: CompletionsContext, request: PipelineRequest): Promise<Exchange['ask']> => {
  const chosen = await taskModelFor(context, request.actor, request.model)
  if (!chosen) return undefined
  return async (task, prompt) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), context.calls.signal])
    const modelFilterIds = [...new Set([...request.model.filterIds, ...chosen.filterIds])]
    const filterContext = { ...filterContextOf({ ...request, model: chosen }), modelFilterIds, task }
    const filters = await filtersFor(context, filterContext, request.body.filter_ids ?? [])
    const asked = { model: chosen.id, messages: [{ role: 'user', content: prompt }], stream: false }
    const { messages } = await runInlet(filters, asked, filterContext)
    const answer = await chosen.call({ actor: request.actor, body: { messages, stream: false }, signal })
    if (answer.kind !== 'whole') return ''
    const completion = await filterWhole(chunkFilter(filters, filterContext, context.log), answer.completion)
    const said = { role: 'assistant', content: messageOf(completion).content }
    const payload = { model: chosen.id, messages: [...messages, said] }
    const { messages: shown } = await runOutlet(filters, payload, { context: filterContext, log: context.log })
    return textOf(shown.at(-1) ?? said)
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

const announce = ({ realtime }: CompletionsContext, { reply }: Exchange, event: UiEvent) => {
  const { chatId, messageId } = reply.ref
  realtime.emit(reply.userId, { chat_id: chatId, message_id: messageId, data: event })
}

const generateTitle = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const asked = ask ? await ask('title_generation', titlePrompt(messages)).catch(() => '') : ''
  const title = readTitle(asked) || titleFrom(firstUserText(messages))
  if (title === '') return
  const isSet = await context.chats.setTitle(reply.ref.chatId, title)
  if (isSet) announce(context, exchange, { type: 'chat:title', data: title })
}

const generateTags = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const tags = ask ? readTags(await ask('tags_generation', tagsPrompt(messages))) : []
  if (tags.length === 0) return
  const isSet = await context.chats.setTags(reply.ref.chatId, tags)
  if (isSet) announce(context, exchange, { type: 'chat:tags', data: { tags } })
}

const generateFollowUps = async (context: CompletionsContext, exchange: Exchange): Promise<void> => {
  const { ask, messages, reply } = exchange
  const followUps = ask ? readFollowUps(await ask('follow_up_generation', followUpsPrompt(messages))) : []
  if (followUps.length === 0) return
  await context.chats.patchMessage(reply.ref, { followUps })
  announce(context, exchange, { type: 'chat:message:follow_ups', data: { follow_ups: followUps } })
}
