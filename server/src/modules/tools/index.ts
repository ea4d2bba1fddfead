/** The registry of tools that a model may call: the module's public interface. */

import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { orAborted } from '#kernel/or-aborted.ts'
import type { RealtimeConfig } from '#modules/realtime/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import { type ApprovalContext, asking } from './approval.ts'
import { builtinSource } from './builtin-source.ts'
import { currentTime } from './current-time.ts'
import type { BuiltinTool, Tool, ToolSource, Tools } from './interface.ts'
import { toolRoutes } from './routes.ts'
import { traced } from './traced-tool.ts'

export { withApproval } from './approval.ts'
export { builtinSource } from './builtin-source.ts'
export type { BuiltinTool, Tool, ToolContext, ToolEntry, ToolResult, ToolSource, Tools } from './interface.ts'

interface Needs {
  kernel: Pick<Kernel<RealtimeConfig>, 'clock' | 'config'>
  settings: Pick<Settings, 'register'>
  realtime: ApprovalContext['realtime']
}

export const createTools = ({ kernel, settings, realtime }: Needs): Tools => {
  const sources: ToolSource[] = []
  /** By the names of the built-in tools that can ask. */
  const approvals = new Map<string, () => boolean>()

  const registerSource = (source: ToolSource): void => {
    for (const tool of source.builtin ?? []) {
      const { name, approval } = tool
      if (approval) approvals.set(name, registerApproval(settings, { name, ...approval }))
    }
    sources.push(source)
  }
  registerSource(builtinSource(currentTime(kernel.clock)))

  const withOwnApproval = (tool: Tool, builtin: readonly BuiltinTool[]): Tool => {
    const own = builtin.find(({ name }) => name === tool.name)
    return own && approvals.get(own.name)?.() === true
      ? asking(tool, { realtime, kernel }, own.approval?.isAsked)
      : tool
  }
  const resolveOne = async (actor: Parameters<Tools['resolve']>[0], toolId: string): Promise<Tool[]> => {
    for (const { resolve, builtin = [] } of sources) {
      const tools = await resolve(actor, toolId)
      if (tools) return tools.map((tool) => withOwnApproval(tool, builtin))
    }
    throw notAllowed(toolId)
  }
  const list: Tools['list'] = async (actor) => {
    const found = await Promise.all(sources.map((source) => source.list(actor)))
    return found.flat().sort((one, other) => (one.name < other.name ? -1 : 1))
  }
  return {
    registerSource,
    resolve: async (actor, toolIds, signal) => {
      const work = Promise.all([...new Set(toolIds)].map((toolId) => resolveOne(actor, toolId)))
      return (await (signal ? orAborted(work, signal) : work)).flat().map(traced)
    },
    list,
    withinRoutes: async (actor, toolIds) => {
      if (actor.credential.allowedRoutes === null) return [...toolIds]
      const whole = { ...actor, credential: { ...actor.credential, allowedRoutes: null } }
      const isLeftOut = async ({ resolve, builtin }: ToolSource, toolId: string): Promise<boolean> =>
        builtin !== undefined && !(await resolve(actor, toolId)) && (await resolve(whole, toolId)) !== undefined
      const found = await Promise.all(
        toolIds.map(async (toolId) => {
          const leftOut = await Promise.all(sources.map((source) => isLeftOut(source, toolId)))
          return leftOut.includes(true) ? [] : [toolId]
        }),
      )
      return found.flat()
    },
    isReserved: (name) => sources.some(({ builtin = [] }) => builtin.some((tool) => tool.name === name)),
    routes: toolRoutes(list),
  }
}

const registerApproval = (
  settings: Needs['settings'],
  { name, sentence }: { name: string; sentence: string },
): (() => boolean) =>
  settings.register<boolean>({
    key: `tools.approval.${name}`,
    type: 'boolean',
    schema: z.boolean(),
    environment: undefined,
    fallback: false,
    sentence: `${sentence} Where nobody can be asked, as in a workflow or over MCP, the tool doesn’t run.`,
  })

/** Names the tool. */
export const notAllowed = (toolId: string): AppError =>
  new AppError('tool_not_allowed', {
    detail: `The tool ${nameable(toolId)} does not exist, or you don't have access to it.`,
  })

/** The caller's id, made safe to quote in a sentence. */
const nameable = (id: string): string => `"${id.replace(/[\p{Cc}"]+/gu, ' ').slice(0, 200)}"`
