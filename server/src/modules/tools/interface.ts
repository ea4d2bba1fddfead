/** The registry of tools that a model may call. Plugins, tool servers and knowledge register theirs here. */
import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'

export interface Tools extends Module {
  /** Port: adds tools of another module. */
  registerSource(source: ToolSource): void
  /**
   * All functions behind these ids. Throws `tool_not_allowed`, naming the first id that is unknown or not allowed. A tool
   * server may be slow to answer: a caller that leaves stops waiting.
   */
  resolve(actor: Actor, toolIds: readonly string[], signal?: AbortSignal): Promise<Tool[]>
  list(actor: Actor): Promise<ToolEntry[]>
  /** These ids without the built-in tools that the routes of the actor's key leave out. */
  withinRoutes(actor: Actor, toolIds: readonly string[]): Promise<string[]>
  /** True when a built-in tool has this name: nobody else's tool may. */
  isReserved(name: string): boolean
}

export interface ToolSource {
  /** Undefined where the id is unknown here or the caller may not use it. */
  resolve(actor: Actor, toolId: string): Promise<Tool[] | undefined>
  list(actor: Actor): Promise<ToolEntry[]>
  /** Its tools, where they are built in: nobody else's may have their names. */
  builtin?: readonly BuiltinTool[]
}

export interface ToolEntry {
  id: string
  name: string
  description: string
}

export interface Tool {
  /** The function name that the model sees: letters, digits, _ and -, at most 64 characters. */
  name: string
  description: string
  /** A JSON Schema of its arguments. */
  parameters: Record<string, unknown>
  /** Two minutes unless it may wait for a person. */
  timeLimitMs?: number
  /** It runs in the browser that asks, so a caller without one isn't offered it. */
  needsBrowser?: boolean
  run(args: Record<string, unknown>, context: ToolContext): Promise<ToolResult>
}

export interface BuiltinTool extends Tool {
  /**
   * The routes by which a caller would do the same over HTTP; empty where the tool neither reads nor changes what belongs
   * to anybody.
   */
  routes: readonly `/api/${string}`[]
  /** Present where an administrator may have people asked before it runs. */
  approval?: {
    /** The setting's meaning, for the console. */
    sentence: string
    /** True when this call is asked about; every call without it. */
    isAsked?(args: Record<string, unknown>, context: ToolContext): boolean
  }
}

export interface ToolContext {
  actor: Actor
  signal: AbortSignal
  chatId: string | null
  messageId: string | null
  sessionId: string | null
  /** Sends an event to the caller's tabs; kinds that are stored are also stored with the message. */
  emit(event: UiEvent): void
  /** The conversation that calls the tool, if one does. */
  conversation?: { modelId: string; messages: readonly unknown[]; files: readonly unknown[] }
}

export interface ToolResult {
  /** The text that the model gets. */
  content: string
  /** Citations, see the contract's source object. */
  sources?: unknown[]
}
