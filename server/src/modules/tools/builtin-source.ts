/** A tool that comes with the house, for every signed-in caller. Modules above register theirs the same way. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Tool, ToolEntry, ToolSource } from './face.ts'

export interface Builtin extends ToolEntry {
  /** Whose it is to use; everybody's unless told. */
  isFor?(actor: Actor): boolean
  tools: readonly Tool[]
}

export const builtinSource = ({ tools, isFor = () => true, ...entry }: Builtin): ToolSource => ({
  resolve: async (actor, toolId) => (toolId === entry.id && isFor(actor) ? [...tools] : undefined),
  list: async (actor) => (isFor(actor) ? [entry] : []),
})
