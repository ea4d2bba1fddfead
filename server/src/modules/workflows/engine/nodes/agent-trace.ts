/** Records each call of the model by one attempt of an agent: what was sent, what came back, and what its tools returned. */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import type { ModelCall, ToolUse } from '@chancery/contract/workflow-traces.ts'
import { type Clock, unixSeconds } from '#kernel/clock.ts'
import { isSameJson } from '#kernel/json/same-json.ts'
import type { ProviderRequest } from '#modules/models/index.ts'
import { messageFor } from '../core/backoff.ts'
import type { Amount, Tokens } from '../core/cost.ts'
import type { NodeCall } from '../node-face.ts'
import type { TracedCall } from '../trace-writer.ts'
import { readToolCalls, type ToolCall } from './tool-calls.ts'

export interface Spent {
  /** Undefined when the provider didn't report them. */
  tokens: Tokens | undefined
  cost: Amount | null
}

export interface AgentTrace {
  /** Called before the request is sent, with the request as it is sent. */
  begin(modelId: string, body: ProviderRequest): OpenCall
  /** Runs a tool that the last answer asked for. */
  runTool(call: ToolCall, run: () => Promise<string>): Promise<string>
}

interface OpenCall {
  answered(completion: Record<string, unknown>, spent: Spent): void
  failed(problem: unknown): void
}

type Recorded = Parameters<TracedCall['save']>[0]

/** A call, as far as it is known; tools add their results. */
interface Recording {
  sent: readonly ChatMessage[]
  call: Recorded
  writer: TracedCall
}

const maxEntries = 100

export const createAgentTrace = ({ trace, step }: Pick<NodeCall, 'trace' | 'step'>, clock: Clock): AgentTrace => {
  let last: Recording | undefined
  let count = 0

  const begin = (modelId: string, body: ProviderRequest): OpenCall => {
    const startedAt = clock.now()
    const writer = trace.open(++count)
    const fresh = newMessages(body.messages, last)
    const call: Recorded = {
      model: modelId,
      earlier_messages: body.messages.length - fresh.length,
      messages: fresh
        .slice(0, maxEntries)
        .map((message) => ({ role: message.role, content: writer.text(textOf(message)) })),
      tools: namesOf(body.tools).slice(0, maxEntries).map(writer.text),
      settings: settingsOf(body),
      answer: null,
      tool_calls: [],
      finish_reason: null,
      error: null,
      prompt_tokens: null,
      completion_tokens: null,
      cost: null,
      started_at: unixSeconds(startedAt),
      offset_ms: startedAt.getTime() - step.startedAt.getTime(),
      duration_ms: 0,
    }
    last = { sent: [...body.messages], call, writer }
    const end = (result: Partial<Recorded>): void => {
      Object.assign(call, result, { duration_ms: clock.now().getTime() - startedAt.getTime() })
      writer.save(call)
    }
    return {
      answered: (completion, spent) => {
        end({ ...answerOf(completion, writer.text), ...spentOf(spent) })
        if (call.tool_calls.length > 0) trace.saveSoon()
      },
      failed: (problem) => end({ error: writer.text(messageFor(problem)) }),
    }
  }

  const runTool: AgentTrace['runTool'] = async ({ id }, run) => {
    const recording = last
    const startedAt = clock.now()
    const result = await run()
    const use = recording?.call.tool_calls.find((one) => one.id === id && one.result === null)
    if (!recording || !use) return result
    use.result = recording.writer.text(result)
    use.duration_ms = clock.now().getTime() - startedAt.getTime()
    recording.writer.save(recording.call)
    trace.saveSoon()
    return result
  }
  return { begin, runTool }
}

/** What the call before didn't have: neither sent nor answered, nor returned by a tool. */
const newMessages = (messages: readonly ChatMessage[], before: Recording | undefined): readonly ChatMessage[] => {
  if (!before) return messages
  let known = 0
  while (known < messages.length && isSameJson(messages[known], before.sent[known])) known++
  const { call } = before
  if (call.answer !== null && messages[known]?.role === 'assistant') known++
  const results = new Set(call.tool_calls.filter(({ result }) => result !== null).map(({ id }) => id))
  while (messages[known]?.role === 'tool' && results.has(String(messages[known]?.tool_call_id))) known++
  return messages.slice(known)
}

const textOf = ({ content, tool_calls }: ChatMessage): string => {
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }]
  const texts = parts.map((part) => (part.type === 'text' ? String(part.text) : `[${part.type}]`))
  return [...texts, ...(tool_calls ? [JSON.stringify(tool_calls)] : [])].filter((text) => text !== '').join('\n')
}

const namesOf = (tools: unknown): string[] =>
  (Array.isArray(tools) ? (tools as { function?: { name?: unknown } }[]) : []).map((tool) =>
    String(tool?.function?.name ?? '?'),
  )

const settingsOf = ({ temperature, max_tokens, response_format }: ProviderRequest): ModelCall['settings'] => {
  const { type } = (response_format ?? {}) as { type?: unknown }
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof max_tokens === 'number' && { max_tokens }),
    ...(typeof type === 'string' && { response_format: type }),
  }
}

type Text = (text: string) => string

const answerOf = (completion: Record<string, unknown>, text: Text): Partial<Recorded> => {
  const [choice] = (Array.isArray(completion.choices) ? completion.choices : []) as Choice[]
  const { message, finish_reason } = choice ?? {}
  return {
    answer: text(message ? textOf({ role: 'assistant', content: contentOf(message.content) }) : ''),
    tool_calls: readToolCalls(message?.tool_calls).slice(0, maxEntries).map(toolUse(text)),
    finish_reason: typeof finish_reason === 'string' ? finish_reason.slice(0, 100) : null,
  }
}

interface Choice {
  message?: { content?: unknown; tool_calls?: unknown }
  finish_reason?: unknown
}

const contentOf = (content: unknown): string => (typeof content === 'string' ? content : '')

const toolUse =
  (text: Text) =>
  ({ id, name, arguments: args }: ToolCall): ToolUse => ({
    id,
    name: text(name),
    arguments: text(args),
    result: null,
    duration_ms: null,
  })

const spentOf = ({ tokens, cost }: Spent): Partial<Recorded> => ({
  prompt_tokens: tokens?.prompt ?? null,
  completion_tokens: tokens?.completion ?? null,
  cost: cost === null ? null : Number(cost),
})
