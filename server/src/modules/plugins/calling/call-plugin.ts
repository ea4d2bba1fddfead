/** Calls a method of a plugin on behalf of somebody: with its helpers, its answers and its log. */
import type { Actor } from '#kernel/http/actor.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { type CallOutcome, type LogLine, type PluginCall, type PluginCode, PluginFailure } from '../runtime/index.ts'
import { createHider } from '../valves/hide-secrets.ts'
import { readUserValves } from '../valves/valves.ts'
import { askBrowser } from './ask-browser.ts'
import type { CallOrigin } from './call-origin.ts'
import { createFetcher } from './fetch-for-plugin.ts'

interface Invocation {
  record: PluginRecord
  target: PluginCall['target']
  method: string
  args: readonly unknown[]
  origin: CallOrigin
  wallMs: number
  /** The person's own settings, where they are read already. */
  userValves?: Record<string, unknown>
  /** Also gets what the plugin logs. */
  onLog?(line: LogLine): void
}

export type CallPlugin = (invocation: Invocation) => Promise<CallOutcome>

export const createCallPlugin =
  (context: PluginsContext, codeOf: (record: PluginRecord) => PluginCode): CallPlugin =>
  async ({ record, target, method, args, origin, wallMs, userValves, onLog }) => {
    const { runtime, log } = context
    const fetcher = createFetcher(context.kernel.outbound)
    const valves = userValves ?? (await userValvesOf(context, origin.actor, record))
    const hide = createHider(context, record, valves)
    try {
      const outcome = await runtime.call(codeOf(record), {
        target,
        method,
        args,
        helpers: { ...helpersOf(record, origin, valves), __request__: { base_url: context.kernel.externalUrl } },
        answer: (name, message, signal) => {
          if (name === 'event') return askBrowser(context.realtime, origin, message, signal)
          if (name === 'tool') return runTool(origin, message)
          return fetcher.answer(name, message, signal)
        },
        onEmit: (event) => emit(origin, event),
        onLog: ({ level, text }) => {
          const line = { level, text: hide(text) }
          log.add(record, line)
          onLog?.(line)
        },
        signal: origin.signal,
        wallMs,
      })
      if (outcome.kind === 'value') fetcher.close()
      return outcome.kind === 'value'
        ? outcome
        : { kind: 'items', items: watched(outcome.items, fetcher.close, failed) }
    } catch (problem) {
      fetcher.close()
      throw failed(problem)
    }

    function failed(problem: unknown): unknown {
      if (!(problem instanceof PluginFailure)) return problem
      const { code, message, trace } = problem
      const shown = new PluginFailure(code, hide(message), hide(trace ?? message))
      log.add(record, { level: 'error', text: `${method} failed: ${shown.trace}` })
      return shown
    }
  }

/** Everything that the plugin yields, where parts are of no use. */
export const itemsOf = async (outcome: CallOutcome): Promise<unknown[]> => {
  if (outcome.kind === 'value') return [outcome.value]
  const items: unknown[] = []
  for await (const item of outcome.items) items.push(item)
  return items
}

/** Without settings of their own nothing is read. */
export const userValvesOf = async (
  context: PluginsContext,
  actor: Actor,
  record: PluginRecord,
): Promise<Record<string, unknown>> =>
  record.spec.userValves && actor.kind === 'user' ? readUserValves(context, actor, record) : {}

async function* watched(
  items: AsyncIterable<unknown>,
  close: () => void,
  failed: (problem: unknown) => unknown,
): AsyncGenerator<unknown> {
  try {
    yield* items
  } catch (problem) {
    throw failed(problem)
  } finally {
    close()
  }
}

const helpersOf = (
  record: PluginRecord,
  origin: CallOrigin,
  valves: Record<string, unknown>,
): Record<string, unknown> => {
  const { actor, modelId, chatId, messageId, sessionId, task, messages, files, tools } = origin
  return {
    __id__: record.id,
    __user__: { id: actor.id, name: actor.name, email: actor.email, role: actor.role, valves },
    __metadata__: {
      user_id: actor.id,
      chat_id: chatId,
      message_id: messageId,
      session_id: sessionId,
      model_id: modelId,
      task: task ?? null,
    },
    __model__: modelId === null ? null : { id: modelId },
    __chat_id__: chatId,
    __message_id__: messageId,
    __session_id__: sessionId,
    __task__: task ?? null,
    ...(messages && { __messages__: messages }),
    ...(files && { __files__: files }),
    __tools__: tools?.map(({ name, description, parameters }) => ({ name, description, parameters })) ?? [],
  }
}

/** A value that is no event at all is dropped; which kinds there are is known to chats. */
const emit = (origin: CallOrigin, event: unknown): void => {
  if (isJsonObject(event) && typeof event.type === 'string') origin.emit({ type: event.type, data: event.data ?? {} })
}

const runTool = async ({ callTool, tools }: CallOrigin, message: unknown): Promise<unknown> => {
  const { name, args } = isJsonObject(message) ? message : {}
  if (!callTool || typeof name !== 'string' || !tools?.some((tool) => tool.name === name))
    throw new Error(`There is no tool called ${String(name).slice(0, 100)}.`)
  return callTool(name, isJsonObject(args) ? args : {})
}
