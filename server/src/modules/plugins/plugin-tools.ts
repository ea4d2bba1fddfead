/** Tools of plugins, for the registry: each method is one tool. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Tool, ToolContext, ToolResult, ToolSource } from '#modules/tools/index.ts'
import { withApproval } from './approval.ts'
import { type CallPlugin, itemsOf } from './call-plugin.ts'
import type { PluginRecord } from './catalog.ts'
import type { PluginsContext } from './context.ts'
import { PluginFailure } from './runtime/index.ts'
import type { ToolMethod } from './spec.ts'
import { listUsable } from './usable-plugins.ts'

/** Besides the time that a person may take to answer. */
const workMs = 120_000

export const createToolSource = (context: PluginsContext, callPlugin: CallPlugin): ToolSource => {
  const { catalog, kernel } = context
  const wallMs = workMs + kernel.config.WEBSOCKET_EVENT_CALLER_TIMEOUT * 1000
  const usable = async (actor: ToolContext['actor']): Promise<PluginRecord[]> =>
    (await listUsable(context, actor)).filter(({ kind }) => kind === 'tool')
  return {
    resolve: async (actor, toolId) => {
      if (catalog.find(toolId)?.kind !== 'tool') return undefined
      const record = (await usable(actor)).find(({ id }) => id === toolId)
      return record?.spec.tools.map((method) => {
        const tool = toolOf(callPlugin, { record, method, wallMs })
        return withApproval(tool, record, context)
      })
    },
    list: async (actor) => (await usable(actor)).map(({ id, name, description }) => ({ id, name, description })),
  }
}

interface Making {
  record: PluginRecord
  method: ToolMethod
  wallMs: number
}

const toolOf = (callPlugin: CallPlugin, { record, method, wallMs }: Making): Tool => ({
  ...method,
  timeLimitMs: wallMs,
  run: async (args, { conversation, ...context }) => {
    const { modelId = null, messages = [], files = [] } = conversation ?? {}
    const origin = { ...context, modelId, messages, files }
    try {
      const outcome = await callPlugin({ record, target: 'Tools', method: method.name, args: [args], origin, wallMs })
      return resultOf(outcome.kind === 'value' ? outcome.value : (await itemsOf(outcome)).join(''))
    } catch (problem) {
      if (problem instanceof PluginFailure)
        throw new AppError('tool_failed', { detail: problem.message.slice(0, 1000) })
      throw problem
    }
  },
})

/** `{ content, sources }` gives both; anything else is what the model reads. */
const resultOf = (value: unknown): ToolResult => {
  if (typeof value === 'string') return { content: value }
  if (isJsonObject(value) && typeof value.content === 'string')
    return { content: value.content, ...(Array.isArray(value.sources) && { sources: value.sources }) }
  return { content: value === undefined ? 'Done.' : JSON.stringify(value) }
}
