/** Runs an action: a plugin that a person starts on a message. Its events go to that message. */
import type { ActionBody } from '@chancery/contract/plugins/plugins.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import type { CallOrigin } from '../calling/call-origin.ts'
import { type CallPlugin, itemsOf } from '../calling/call-plugin.ts'
import type { PluginsContext } from '../context.ts'
import { PluginFailure } from '../runtime/index.ts'
import { listUsable } from '../usable-plugins.ts'

interface Request {
  id: string
  body: z.output<typeof ActionBody>
  signal: AbortSignal
}

export type RunAction = (actor: Actor, request: Request) => Promise<unknown>

const workMs = 300_000

export const createRunAction =
  (context: PluginsContext, callPlugin: CallPlugin): RunAction =>
  async (actor, { id, body, signal }) => {
    const record = (await listUsable(context, actor)).find((one) => one.id === id)
    if (record?.kind !== 'action') throw new AppError('plugin_not_found')
    const { config } = context.kernel
    const events = await openEvents(context, actor, body)
    const { chatId, messageId, emit } = events
    const sessionId = body.session_id ?? null
    const request = { actor, chatId, messageId, sessionId, emit, signal }
    const tools = await context.tools.resolve(actor, toolIdsIn(record.manifest), signal)
    const origin: CallOrigin = {
      ...request,
      modelId: body.model,
      tools,
      callTool: async (name, args) => tools.find((tool) => tool.name === name)?.run(args, request),
    }
    const wallMs = workMs + config.WEBSOCKET_EVENT_CALLER_TIMEOUT * 1000
    try {
      const outcome = await callPlugin({ record, target: 'Action', method: 'action', args: [body], origin, wallMs })
      const value = outcome.kind === 'value' ? outcome.value : await itemsOf(outcome)
      return value ?? null
    } catch (problem) {
      if (problem instanceof PluginFailure)
        throw new AppError('plugin_failed', { detail: problem.message.slice(0, 1000) })
      throw problem
    } finally {
      await events.applied()
    }
  }

/** `tools: builtin:signing` in the first comment: what the action may call, as the person who runs it. */
const toolIdsIn = ({ tools = '' }: Record<string, string>): string[] => tools.split(/[\s,]+/).filter(Boolean)

interface Events extends Pick<CallOrigin, 'chatId' | 'messageId' | 'emit'> {
  /** Resolves when everything that was emitted is stored. */
  applied(): Promise<void>
}

/** Throws `chat_not_found` and `message_not_found`, also for what belongs to somebody else. */
const openEvents = async (
  { chats, kernel }: PluginsContext,
  actor: Actor,
  { chat_id: chatId, id: sentId }: Request['body'],
): Promise<Events> => {
  if (!chatId || !sentId)
    return { chatId: null, messageId: null, emit: () => undefined, applied: async () => undefined }
  if (!isUuid(chatId)) throw new AppError('chat_not_found')
  const chat = await chats.requireChat(actor, chatId)
  const { id: messageId } = await chats.requireMessage(actor, { chatId, messageId: sentId })
  let last = Promise.resolve()
  return {
    chatId,
    messageId,
    emit: (event) => {
      last = last
        .then(() => chats.applyEvent(chat, messageId, event))
        .catch((problem: unknown) =>
          kernel.log.warn({ err: problem, type: event.type }, 'An event of an action could not be applied.'),
        )
    },
    applied: () => last,
  }
}
