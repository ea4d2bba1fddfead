/** The tools an agent may call: the instance's tools by name, and the built-in `emit_event`. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { EventType } from '@chancery/contract/workflows/events.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Tool } from '#modules/tools/index.ts'
import { checkedEvent } from '../shared/checked-event.ts'
import type { ConfigOf, EmittedEvent, NodeCall } from '../shared/node-interface.ts'
import { getRunActor } from '../shared/run-actor.ts'
import type { AgentTrace } from './agent-trace.ts'
import type { AgentNeeds } from './ask-model.ts'
import type { ToolCall } from './tool-calls.ts'

export interface AgentTools {
  definitions: readonly unknown[]
  /** Never throws when a tool fails: the model gets the error and continues. */
  run(call: ToolCall): Promise<ChatMessage>
}

const emitName = 'emit_event'
const maxResultLength = 200_000

export const openAgentTools = async (
  needs: AgentNeeds,
  { config, run, signal }: NodeCall<ConfigOf<'agent'>>,
  { trace, emit }: { trace: AgentTrace; emit(event: EmittedEvent): void },
): Promise<AgentTools> => {
  // A test without effects reaches nobody.
  const names = run.isDry ? [] : (config.tools ?? [])
  const actor = await getRunActor(needs.kernel.db, run)
  const resolved = await needs.tools.resolve(
    actor,
    names.filter((name) => name !== emitName),
    signal,
  )
  const own = names.includes(emitName) ? [emitTool(needs, run.correlationId, emit)] : []
  const byName = new Map([...resolved, ...own].map((tool) => [tool.name, tool]))
  const context = { actor, signal, chatId: null, messageId: null, sessionId: null, emit: () => undefined }

  const answer = async ({ name, arguments: text }: ToolCall): Promise<string> => {
    const tool = byName.get(name)
    if (!tool) return `Error: there is no tool called ${name}.`
    const args = readArguments(text)
    if (!args) return 'Error: the arguments must be a JSON object.'
    try {
      return (await tool.run(args, context)).content.slice(0, maxResultLength)
    } catch (problem) {
      signal.throwIfAborted()
      if (!(problem instanceof AppError)) needs.kernel.log.warn({ err: problem, tool: name }, 'A tool failed.')
      return `Error: ${problem instanceof AppError ? problem.message : 'the tool failed.'}`
    }
  }
  return {
    definitions: [...byName.values()].map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    run: async (call) => {
      const content = await trace.runTool(call, () => answer(call))
      return { role: 'tool', tool_call_id: call.id, content }
    },
  }
}

const readArguments = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = parseForeign(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

const EmitArguments = z.object({
  event_type: EventType,
  payload: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  correlation_id: z.string().max(200).optional(),
})

/** Contract, Event bus: `payload` is a JSON-encoded string. Events are published when the step is saved. */
const emitTool = (
  { kernel }: Pick<AgentNeeds, 'kernel'>,
  correlationId: string | null,
  emit: (event: EmittedEvent) => void,
): Tool => ({
  name: emitName,
  description: 'Publishes an event. Pass on the correlation_id of the incoming event, so that the runs stay linked.',
  parameters: {
    type: 'object',
    properties: {
      event_type: { type: 'string', description: 'snake_case' },
      payload: { type: 'string', description: 'JSON-encoded' },
      correlation_id: { type: 'string' },
    },
    required: ['event_type', 'payload'],
  },
  run: async (args) => {
    const read = EmitArguments.safeParse(args)
    if (!read.success) throw new AppError('node_failed', { detail: z.prettifyError(read.error) })
    const { event_type: eventType, payload = {}, correlation_id } = read.data
    const maxPayloadBytes = kernel.config.EVENT_MAX_PAYLOAD_BYTES
    const decoded = typeof payload === 'string' ? readPayload(payload) : payload
    emit(
      checkedEvent(
        { maxPayloadBytes },
        { eventType, payload: decoded, correlationId: correlation_id || correlationId },
      ),
    )
    return { content: `The event ${eventType} will be published.` }
  },
})

const readPayload = (text: string): unknown => {
  try {
    return parseForeign(text, { exactly: true })
  } catch {
    throw new AppError('node_failed', { detail: 'payload must be a JSON-encoded string.' })
  }
}
