/** The registry of what a model may call. Modules above bring tools: plugins, tool servers, knowledge. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'

export interface Tools extends Module {
  /** Port. */
  registerSource(source: ToolSource): void
  /** Every tool behind these ids; throws `tool_not_allowed`, naming the first id that is unknown or not the caller's. */
  resolve(actor: Actor, toolIds: readonly string[]): Promise<Tool[]>
  list(actor: Actor): Promise<ToolEntry[]>
}

export interface ToolSource {
  /** Undefined where the id is not this source's, is unknown, or is not this caller's to use. */
  resolve(actor: Actor, toolId: string): Promise<Tool[] | undefined>
  list(actor: Actor): Promise<ToolEntry[]>
}

export interface ToolEntry {
  id: string
  name: string
  description: string
}

export interface Tool {
  /** What the model calls it: letters, digits, _ and -, at most 64. */
  name: string
  description: string
  /** A JSON Schema of its arguments. */
  parameters: Record<string, unknown>
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  actor: Actor
  signal: AbortSignal
  chatId: string | null
  messageId: string | null
  sessionId: string | null
  /** One-way events to the caller's tabs, stored with the message where their kind is. */
  emit(event: { type: string; data: unknown }): void
}

export interface ToolResult {
  /** What the model reads. */
  content: string
  /** Citations, see the contract's source object. */
  sources?: unknown[]
}
