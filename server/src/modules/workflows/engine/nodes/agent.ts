/**
 * A model with a task and tools. Each call goes through the gateway's one pipeline, on behalf of the person the run works
 * for and under the credentials of the run's catalog; it goes on until the model has answered or its budget is spent.
 */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import { parseTemplate, renderTemplate } from '../../graph/template.ts'
import { NodeFailure } from '../backoff.ts'
import type { ConfigOf, Done, EmittedEvent, Executor, NodeCall } from '../node-face.ts'
import { type AgentTools, openAgentTools } from './agent-tools.ts'
import { type AgentNeeds, askModel, type Turn } from './ask-model.ts'
import { readStructured, repairRequest, schemaPrompt } from './structured-output.ts'

type Config = ConfigOf<'agent'>

const usualIterations = 10

export const agent =
  (needs: AgentNeeds): Executor<Config> =>
  async (call): Promise<Done> => {
    const events: EmittedEvent[] = []
    const ask = askModel(needs, call)
    const tools = await openAgentTools(needs, call, (event) => void events.push(event))
    const messages = openingOf(call)
    const text = await converse({ call, ask, tools, messages })
    const { output_schema: schema } = call.config
    const output = schema ? await structured({ call, ask, messages, text, schema }) : text
    return { kind: 'done', output, events }
  }

/** Without a prompt the input itself is the task: what the node before said, or the event as JSON. */
const openingOf = ({ config, state, input }: NodeCall<Config>): ChatMessage[] => {
  const { system_prompt, prompt, output_schema } = config
  const system = [
    ...(system_prompt ? [renderTemplate(parseTemplate(system_prompt), state)] : []),
    ...(output_schema ? [schemaPrompt(output_schema)] : []),
  ].join('\n\n')
  const task = prompt === undefined || prompt === '' ? asText(input) : renderTemplate(parseTemplate(prompt), state)
  return [...(system ? [{ role: 'system', content: system }] : []), { role: 'user', content: task || '…' }]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

interface Conversation {
  call: NodeCall<Config>
  ask(messages: readonly ChatMessage[], tools: readonly unknown[] | undefined): Promise<Turn>
  tools: AgentTools
  messages: ChatMessage[]
}

/** Adds to the messages as it goes. Answers the model's last word. */
const converse = async ({ call, ask, tools, messages }: Conversation): Promise<string> => {
  const most = call.config.max_iterations ?? usualIterations
  for (let iteration = 1; ; iteration++) {
    const { text, toolCalls, message } = await ask(messages, tools.definitions)
    messages.push(message)
    if (toolCalls.length === 0) return text
    if (iteration >= most)
      throw new NodeFailure(`The agent has not come to an end after ${most} rounds.`, { canRetry: false })
    messages.push(...(await Promise.all(toolCalls.map(tools.run))))
  }
}

interface Structuring extends Omit<Conversation, 'tools'> {
  text: string
  schema: Record<string, unknown>
}

/** JSON as it was asked for; a model that missed it gets one chance to mend it. */
const structured = async ({ ask, messages, text, schema }: Structuring): Promise<unknown> => {
  const first = readStructured(text, schema)
  if ('value' in first) return first.value
  const again = await ask([...messages, repairRequest(first.problem)], undefined)
  const second = readStructured(again.text, schema)
  if ('value' in second) return second.value
  throw new NodeFailure(`The agent's answer is not as its schema asks: ${second.problem}`, { canRetry: false })
}
