/**
 * Runs one method of a plugin for its author, with arguments that they choose. Nothing is stored but the log: events are
 * answered instead of sent, and there is no browser to ask.
 */
import type { PluginKind, PluginTry, PluginTryBody } from '@chancery/contract/plugins/plugins.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type CallPlugin, itemsOf } from '../calling/call-plugin.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { type PluginCall, PluginFailure } from '../runtime/index.ts'
import { getPlugin } from './save-plugin.ts'

const wallMs = 30_000
const maxReported = 200

interface Request {
  id: string
  kinds: readonly PluginKind[]
  body: z.output<typeof PluginTryBody>
  signal: AbortSignal
  from: Origin
}

const targets: Record<PluginKind, PluginCall['target']> = {
  tool: 'Tools',
  filter: 'Filter',
  pipe: 'Pipe',
  action: 'Action',
}

export const tryPlugin = async (
  { context, callPlugin }: { context: PluginsContext; callPlugin: CallPlugin },
  actor: Actor,
  { id, kinds, body: { method, args }, signal, from }: Request,
): Promise<PluginTry> => {
  const record = getPlugin(context, id, kinds)
  if (!methodsOf(record).includes(method))
    throw new AppError('plugin_method_unknown', { detail: `The plugin has no method named ${method}.` })
  const { audit, db } = context.kernel
  await audit.record(db, { action: 'plugin.try', by: actor, from, target: { kind: 'plugin', id }, detail: { method } })
  const events: PluginTry['events'] = []
  const logs: PluginTry['logs'] = []
  const report = <Item>(list: Item[]) => {
    return (item: Item) => void (list.length < maxReported && list.push(item))
  }
  const emit = report(events)
  const origin = { actor, modelId: null, chatId: null, messageId: null, sessionId: null, signal, emit }
  const startedAt = performance.now()
  const ended = (result: unknown, error: string | null): PluginTry => ({
    result,
    error,
    events,
    logs,
    duration_ms: Math.round(performance.now() - startedAt),
  })
  try {
    const call = { record, target: targets[record.kind], method, args: [args], origin, wallMs, onLog: report(logs) }
    const outcome = await callPlugin(call)
    return ended(outcome.kind === 'value' ? (outcome.value ?? null) : await itemsOf(outcome), null)
  } catch (problem) {
    if (!(problem instanceof PluginFailure)) throw problem
    return ended(null, (problem.trace ?? problem.message).slice(0, 4000))
  }
}

const methodsOf = ({ kind, spec }: PluginRecord): string[] =>
  kind === 'tool' ? spec.tools.map(({ name }) => name) : spec.methods
