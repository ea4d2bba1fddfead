/**
 * A request of the messages format as a chat completion. Fields without a counterpart are left out (cache control, service
 * tiers); our own fields pass unchanged, so chats, tools and filters work here too. Pure.
 */
import type { ChatMessage, CompletionBody } from '@chancery/contract/chats/completions.ts'
import type { FormatMessage, MessagesBody, TextBlock } from '@chancery/contract/chats/messages-format.ts'
import { assistantTurn } from './assistant-turn.ts'
import { toolFields } from './tool-fields.ts'
import { userTurn } from './user-turn.ts'

const ownFields = [
  'chat_id',
  'id',
  'session_id',
  'background_tasks',
  'features',
  'variables',
  'filter_ids',
  'files',
  'tool_ids',
] as const

/** Providers refuse longer ones. */
const longestUser = 64

export const toCompletion = (body: MessagesBody): CompletionBody => ({
  ...given(body, ownFields),
  ...given(body, ['max_tokens', 'temperature', 'top_p', 'top_k'] as const),
  model: body.model,
  messages: chatMessages(body),
  ...toolFields(body),
  ...(body.stop_sequences && body.stop_sequences.length > 0 ? { stop: body.stop_sequences } : {}),
  ...userField(body),
  ...reasoningFields(body),
  ...formatFields(body),
  ...(body.stream ? { stream: true, stream_options: { include_usage: true } } : { stream: false }),
})

export const chatMessages = ({ system, messages }: Pick<MessagesBody, 'system' | 'messages'>): ChatMessage[] => [
  ...(system === undefined || system.length === 0 ? [] : [systemTurn(system)]),
  ...messages.flatMap(chatTurn),
]

const chatTurn = (message: FormatMessage): ChatMessage[] => {
  if (message.role === 'user') return userTurn(message.content)
  return [message.role === 'assistant' ? assistantTurn(message.content) : systemTurn(message.content)]
}

const systemTurn = (system: string | readonly TextBlock[]): ChatMessage => ({
  role: 'system',
  content: typeof system === 'string' ? system : system.map(({ text }) => text).join('\n'),
})

const userField = ({ metadata }: MessagesBody) => {
  const user = metadata?.user_id
  return user && user.length <= longestUser ? { user } : {}
}

/** A thinking budget is mapped to an effort; an explicit effort wins. */
const reasoningFields = ({ thinking, output_config: output }: MessagesBody) => {
  if (output?.effort) return { reasoning_effort: output.effort === 'max' ? 'high' : output.effort }
  if (thinking?.type !== 'enabled') return {}
  const budget = thinking.budget_tokens ?? 0
  return { reasoning_effort: budget <= 4096 ? 'low' : budget <= 16_384 ? 'medium' : 'high' }
}

const formatFields = ({ output_config: output }: MessagesBody) =>
  output?.format
    ? {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'reply', schema: output.format.schema, strict: true },
        },
      }
    : {}

const given = <Name extends keyof MessagesBody>(
  body: MessagesBody,
  names: readonly Name[],
): Pick<MessagesBody, Name> => {
  const found: Partial<MessagesBody> = {}
  for (const name of names) if (body[name] !== undefined) found[name] = body[name]
  return found as Pick<MessagesBody, Name>
}
