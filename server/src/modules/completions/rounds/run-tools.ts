/** Runs the tools that the model asked for, in parallel. A failure is reported to the model, and the reply continues. */
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Log } from '#kernel/log.ts'
import type { Tool, ToolContext, ToolResult } from '#modules/tools/index.ts'
import type { ToolCall } from './tool-calls.ts'

const usualLimitMs = 120_000
const maxResultLength = 200_000

export interface ToolRun {
  tools: readonly Tool[]
  context: ToolContext
  log: Log
}

export const runTools = async ({ tools, context, log }: ToolRun, calls: readonly ToolCall[]): Promise<ToolResult[]> => {
  const ended = await Promise.allSettled(
    calls.map(async (call) => {
      const startedAt = performance.now()
      let result: ToolResult | undefined
      context.emit(statusOf(call))
      try {
        result = await runTool({ tools, context, log }, call)
        return result
      } finally {
        // Also when the reply is stopped: a status that isn't done would shimmer forever.
        const durationMs = Math.round(performance.now() - startedAt)
        context.emit(statusOf(call, { output: result?.content ?? 'Stopped.', durationMs }))
      }
    }),
  )
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

const runTool = async ({ tools, context, log }: ToolRun, call: ToolCall): Promise<ToolResult> => {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return { content: `Error: there is no tool called ${call.name}.` }
  const args = argumentsOf(call)
  if (!args) return { content: 'Error: the arguments are not a JSON object.' }
  try {
    const result = await withinLimit(tool, context, args)
    return { ...result, content: cut(result.content) }
  } catch (problem) {
    context.signal.throwIfAborted()
    if (!(problem instanceof AppError)) log.warn({ err: problem, tool: call.name }, 'A tool failed.')
    return { content: `Error: ${problem instanceof AppError ? problem.message : 'the tool failed.'}` }
  }
}

const argumentsOf = (call: ToolCall): Record<string, unknown> | undefined => {
  if (call.arguments.trim() === '') return {}
  try {
    const value: unknown = parseForeign(call.arguments)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A tool may ignore its signal, so the wait ends at the limit in any case. */
const withinLimit = async (
  { timeLimitMs = usualLimitMs, ...tool }: Tool,
  context: ToolContext,
  args: Record<string, unknown>,
): Promise<ToolResult> => {
  const over = new AbortController()
  const signal = AbortSignal.any([context.signal, over.signal])
  const late = async (): Promise<never> => {
    await delay(timeLimitMs, undefined, { signal, ref: false })
    throw new AppError('tool_failed', { detail: 'the tool took too long.' })
  }
  try {
    return await Promise.race([tool.run(args, { ...context, signal }), late()])
  } finally {
    over.abort()
  }
}

const cut = (content: string): string =>
  content.length > maxResultLength ? `${content.slice(0, maxResultLength)}\n[cut off here]` : content

/** Kept with the message for people to read; the model gets all of it. */
const maxShown = 20_000

/** The first status of a call says what it was given, the second what came of it, under the same ID. */
const statusOf = (call: ToolCall, ended?: { output: string; durationMs: number }) => ({
  type: 'status',
  data: {
    action: 'tool',
    description: ended ? `Used ${call.name}` : `Using ${call.name}`,
    done: ended !== undefined,
    hidden: false,
    call: {
      id: call.id,
      name: call.name,
      arguments: call.arguments.slice(0, maxShown),
      ...(ended && { output: ended.output.slice(0, maxShown), duration_ms: ended.durationMs }),
    },
  },
})
