/** The registry of tools that a model may call: the module's public face. */

import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { orAborted } from '#kernel/or-aborted.ts'
import { builtinSource } from './builtin-source.ts'
import { currentTime } from './current-time.ts'
import type { Tool, ToolSource, Tools } from './face.ts'
import { toolRoutes } from './routes.ts'

export { builtinSource } from './builtin-source.ts'
export type { Tool, ToolContext, ToolEntry, ToolResult, ToolSource, Tools } from './face.ts'

export const createTools = ({ kernel: { clock } }: { kernel: Pick<Kernel, 'clock'> }): Tools => {
  const sources: ToolSource[] = [builtinSource(currentTime(clock))]

  const resolveOne = async (actor: Parameters<Tools['resolve']>[0], toolId: string): Promise<Tool[]> => {
    for (const source of sources) {
      const tools = await source.resolve(actor, toolId)
      if (tools) return tools
    }
    throw new AppError('tool_not_allowed', {
      detail: `The tool ${nameable(toolId)} does not exist, or you don't have access to it.`,
    })
  }
  const list: Tools['list'] = async (actor) => {
    const found = await Promise.all(sources.map((source) => source.list(actor)))
    return found.flat().sort((one, other) => (one.name < other.name ? -1 : 1))
  }
  return {
    registerSource: (source) => void sources.push(source),
    resolve: async (actor, toolIds, signal) => {
      const work = Promise.all([...new Set(toolIds)].map((toolId) => resolveOne(actor, toolId)))
      return (await (signal ? orAborted(work, signal) : work)).flat()
    },
    list,
    isReserved: (name) => sources.some((source) => source.reservedNames?.includes(name)),
    routes: toolRoutes(list),
  }
}

/** The caller's id, made safe to quote in a sentence. */
const nameable = (id: string): string => `"${id.replace(/[\p{Cc}"]+/gu, ' ').slice(0, 200)}"`
