/**
 * A model with a task and tools. Each call goes through the completions pipeline, on behalf of the run's user and with
 * the credentials of the run's catalog, until the model has answered or the budget is used up.
 */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { type AgentTools, openAgentTools } from '../agents/agent-tools.ts'
import { createAgentTrace } from '../agents/agent-trace.ts'
import { type AgentNeeds, askModel, type Turn } from '../agents/ask-model.ts'
import { readStructured, repairRequest, schemaPrompt } from '../agents/structured-output.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { ConfigOf, Done, EmittedEvent, Executor, NodeCall } from '../shared/node-interface.ts'

type Config = ConfigOf<'agent'>

const defaultIterations = 10

export const agent =
  (needs: AgentNeeds): Executor<Config> =>
  async (call): Promise<Done> => {
    const events: EmittedEvent[] = []
    const trace = createAgentTrace(call, needs.kernel.clock)
    const ask = askModel(needs, call, trace)
    const tools = await openAgentTools(needs, call, { trace, emit: (event) => void events.push(event) })
    const messages = initialMessages(call)
    const text = await converse({ call, ask, tools, messages })
    const { output_schema: schema } = call.config
    const output = schema ? await structured({ needs, call, ask, messages, text, schema }) : text
    return { kind: 'done', output, events }
  }

/** Without a prompt the input itself is the task: the previous node's output, or the event as JSON. */
const initialMessages = ({ config, render, input }: NodeCall<Config>): ChatMessage[] => {
  const { system_prompt, prompt, output_schema } = config
  const system = [
    ...(system_prompt ? [render(system_prompt)] : []),
    ...(output_schema ? [schemaPrompt(output_schema)] : []),
  ].join('\n\n')
  const task = prompt === undefined || prompt === '' ? asText(input) : render(prompt)
  return [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: task || '…' }]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

interface Conversation {
  call: NodeCall<Config>
  ask(messages: readonly ChatMessage[], tools: readonly unknown[] | undefined): Promise<Turn>
  tools: AgentTools
  messages: ChatMessage[]
}

/** Adds to `messages` as it goes. Returns the model's final answer. */
const converse = async ({ call, ask, tools, messages }: Conversation): Promise<string> => {
  const maxRounds = call.config.max_iterations ?? defaultIterations
  for (let iteration = 1; ; iteration++) {
    const { text, toolCalls, message } = await ask(messages, tools.definitions)
    messages.push(message)
    if (toolCalls.length === 0) return text
    if (iteration >= maxRounds)
      throw new NodeFailure(`The agent didn't finish within ${maxRounds} rounds.`, { canRetry: false })
    messages.push(...(await Promise.all(toolCalls.map(tools.run))))
  }
}

interface Structuring extends Omit<Conversation, 'tools'> {
  needs: Pick<AgentNeeds, 'kernel'>
  text: string
  schema: Record<string, unknown>
}

/** JSON that matches the schema; a model whose answer doesn't gets one chance to correct it. */
const structured = async ({ needs, call, ask, messages, text, schema }: Structuring): Promise<unknown> => {
  const read = (answer: string) => readStructured(needs.kernel.compute, call, { text: answer, schema })
  const first = await read(text)
  if ('value' in first) return first.value
  const again = await ask([...messages, repairRequest(first.problem)], undefined)
  const second = await read(again.text)
  if ('value' in second) return second.value
  throw new NodeFailure(`The agent's answer doesn't match its output schema: ${second.problem}`, { canRetry: false })
}
