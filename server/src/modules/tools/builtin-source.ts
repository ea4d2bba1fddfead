/**
 * Built-in tools, for every signed-in caller. Other modules register theirs the same way. A key that is held to routes has
 * a tool only with the routes that the tool stands for, whichever door the model or the client calls it through.
 */
import type { Actor } from '#kernel/http/actor.ts'
import { isRouteAllowed } from '#kernel/http/gate/normalise-path.ts'
import type { BuiltinTool, ToolEntry, ToolSource } from './interface.ts'

export interface Builtin extends ToolEntry {
  /** Limits it to some callers; by default every signed-in caller may use it. */
  isFor?(actor: Actor): boolean
  tools: readonly BuiltinTool[]
}

/** The door to all tools: a key that may use it was made for them. */
const toolsRoute = '/mcp'

const isOpenTo = ({ credential: { allowedRoutes } }: Actor, { routes }: BuiltinTool): boolean =>
  isRouteAllowed(toolsRoute, allowedRoutes) || routes.every((route) => isRouteAllowed(route, allowedRoutes))

export const builtinSource = ({ tools, isFor = () => true, ...entry }: Builtin): ToolSource => {
  const openTo = (actor: Actor): BuiltinTool[] => (isFor(actor) ? tools.filter((tool) => isOpenTo(actor, tool)) : [])
  return {
    resolve: async (actor, toolId) => {
      const open = toolId === entry.id ? openTo(actor) : []
      return open.length > 0 ? open : undefined
    },
    list: async (actor) => (openTo(actor).length > 0 ? [entry] : []),
    builtin: tools,
  }
}
