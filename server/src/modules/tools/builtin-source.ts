/** A built-in tool, for every signed-in caller. Other modules register theirs the same way. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Tool, ToolEntry, ToolSource } from './face.ts'

export interface Builtin extends ToolEntry {
  /** Who may use it; by default every signed-in caller. */
  isFor?(actor: Actor): boolean
  tools: readonly Tool[]
}

export const builtinSource = ({ tools, isFor = () => true, ...entry }: Builtin): ToolSource => ({
  resolve: async (actor, toolId) => (toolId === entry.id && isFor(actor) ? [...tools] : undefined),
  list: async (actor) => (isFor(actor) ? [entry] : []),
  reservedNames: tools.map(({ name }) => name),
})
