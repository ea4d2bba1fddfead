/** Records each call of the model by one attempt of an agent: what was sent, what came back, and what its tools returned. */
import type { ChatMessage, CompletionBody } from '@chancery/contract/chats/completions.ts'
import type { ModelCall, ToolUse } from '@chancery/contract/workflows/traces.ts'
import { type Clock, unixSeconds } from '#kernel/clock.ts'
import { isSameJson } from '#kernel/json/same-json.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import { messageFor } from '../core/backoff.ts'
import type { Amount, Tokens } from '../core/cost.ts'
import type { NodeCall, TracedCall } from '../shared/node-interface.ts'
import { readToolCalls, type ToolCall } from './tool-calls.ts'
import { maxEntries, sourceNames, textOf, toolNames, withPromptMark } from './trace-texts.ts'

export interface Spent {
  /** Undefined when the provider didn't report them. */
  tokens: Tokens | undefined
  cost: Amount | null
}

export interface AgentTrace {
  /**
   * Called before the request is sent, with what the agent asks. What the pipeline adds is not for everyone who may see
   * the run: of the model's own system prompt only a mark is kept.
   */
  begin(model: Pick<ResolvedModel, 'id' | 'system'>, body: CompletionBody): OpenCall
  /** Names the sources whose passages the last request was sent with. */
  addSources(sources: unknown): void
  /** Runs a tool that the last answer asked for. */
  runTool(call: ToolCall, run: () => Promise<string>): Promise<string>
}

export interface OpenCall {
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

export const createAgentTrace = ({ trace, step }: Pick<NodeCall, 'trace' | 'step'>, clock: Clock): AgentTrace => {
  let last: Recording | undefined
  let count = 0

  const begin: AgentTrace['begin'] = (model, body) => {
    const startedAt = clock.now()
    const writer = trace.open(++count)
    const sent = model.system ? withPromptMark(body.messages) : [...body.messages]
    const fresh = newMessages(sent, last)
    const call: Recorded = {
      model: model.id,
      earlier_messages: sent.length - fresh.length,
      messages: fresh
        .slice(0, maxEntries)
        .map((message) => ({ role: message.role, content: writer.text(textOf(message)) })),
      tools: toolNames(body.tools).slice(0, maxEntries).map(writer.text),
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
    last = { sent, call, writer }
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

  const addSources = (sources: unknown): void => {
    const names = sourceNames(sources)
    const message = last?.call.messages.findLast(({ role }) => role === 'user')
    if (!last || !message || names.length === 0) return
    message.content = `[passages from ${last.writer.text(names.join(', '))}]\n\n${message.content}`
    last.writer.save(last.call)
  }

  const runTool: AgentTrace['runTool'] = async ({ id }, run) => {
    const recording = last
    const startedAt = clock.now()
    const result = await run()
    const use = recording?.call.tool_calls.find((one) => one.id === storedId(id) && one.result === null)
    if (!recording || !use) return result
    use.result = recording.writer.text(result)
    use.duration_ms = clock.now().getTime() - startedAt.getTime()
    recording.writer.save(recording.call)
    trace.saveSoon()
    return result
  }
  return { begin, addSources, runTool }
}

/** Messages that the call before didn't have: neither sent nor answered, nor returned by a tool. */
const newMessages = (messages: readonly ChatMessage[], before: Recording | undefined): readonly ChatMessage[] => {
  if (!before) return messages
  let known = 0
  while (known < messages.length && isSameJson(messages[known], before.sent[known])) known++
  const { call } = before
  if (call.answer !== null && messages[known]?.role === 'assistant') known++
  const results = new Set(call.tool_calls.filter(({ result }) => result !== null).map(({ id }) => id))
  while (messages[known]?.role === 'tool' && results.has(storedId(String(messages[known]?.tool_call_id)))) known++
  return messages.slice(known)
}

const settingsOf = ({ temperature, max_tokens, response_format }: CompletionBody): ModelCall['settings'] => {
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

/** Providers choose the ids of tool calls, and may choose long ones. */
const storedId = (id: string): string => id.slice(0, 200)

const toolUse =
  (text: Text) =>
  ({ id, name, arguments: args }: ToolCall): ToolUse => ({
    id: storedId(id),
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
