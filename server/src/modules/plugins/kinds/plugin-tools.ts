/** Tools of plugins, for the registry: each method is one tool. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { type Tool, type ToolContext, type ToolResult, type ToolSource, withApproval } from '#modules/tools/index.ts'
import { type CallPlugin, itemsOf } from '../calling/call-plugin.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import type { ToolMethod } from '../reading/spec.ts'
import { PluginFailure } from '../runtime/index.ts'
import { listUsable } from '../usable-plugins.ts'

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
    const mentions = (helper: string): boolean => record.source.includes(helper)
    const origin = {
      ...context,
      modelId,
      messages: mentions('__messages__') ? latestWithin(messages, maxSentLength) : [],
      files: mentions('__files__') ? latestWithin(files, maxSentLength) : [],
    }
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

/** As JSON. A conversation with pictures can be far larger, and it is sent anew with every call. */
const maxSentLength = 8_000_000

/** The last items that fit together, in their order. */
export const latestWithin = (items: readonly unknown[], maxLength: number): unknown[] => {
  let left = maxLength
  const first = items.findLastIndex((item) => {
    left -= JSON.stringify(item).length
    return left < 0
  })
  return items.slice(first + 1)
}

/** `{ content, sources }` gives both; anything else is what the model reads. */
const resultOf = (value: unknown): ToolResult => {
  if (typeof value === 'string') return { content: value }
  if (isJsonObject(value) && typeof value.content === 'string')
    return { content: value.content, ...(Array.isArray(value.sources) && { sources: value.sources }) }
  return { content: value === undefined ? 'Done.' : JSON.stringify(value) }
}
