/**
 * The interface of models for other modules, with the ports they fill. There is one format inside: requests and replies
 * are those of the chat-completion API, whatever a backend speaks; its driver translates.
 */

import type { Readable } from 'node:stream'
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { ModelItem } from '@chancery/contract/models/models.ts'
import type { ModelPrices, Price } from '@chancery/contract/models/prices.ts'
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'
import type { Meter } from '#kernel/meter.ts'
import type { GrantQuestion } from '#modules/organizations/index.ts'

export interface Models extends Module {
  /**
   * The models that the caller may use, sorted by name, the guide last. From memory: a dead backend never holds it up.
   */
  list(actor: Actor): Promise<ModelItem[]>
  /** Throws `model_not_found` for what is unknown and for what is not the caller's to use, alike. */
  resolve(actor: Actor, modelId: string): ResolvedModel | Promise<ResolvedModel>
  /** The same for the passthrough: where a model's backends are and what they call it. */
  resolveBackends(actor: Actor, modelId: string): Promise<Backend[]>
  /** Every enabled local runtime, for what names no model. */
  listRuntimes(): Backend[]
  /** Models behind credentials that are not the instance's, such as those of a catalog. Nothing else is looked at. */
  openPrivate(connections: readonly PrivateConnection[]): PrivateModels
  /** True when a connection's list of models could not be read yet, so that an unknown model may exist after all. */
  hasUnreadLists(): boolean
  /** Port: models that no connection serves (the guide, plugins' pipes). */
  registerSource(source: ModelSource): void
  /** For doors that call backends themselves: the registered one, or nobody. */
  readonly meter: Meter
}

/** Entered by a user: its address must be public, or one that an administrator allows for all. */
export interface PrivateConnection {
  name: string
  type: 'upstream' | 'compat'
  url: string
  key: string | null
  /** The models it serves; nothing else is asked of it. */
  modelIds: readonly string[]
  prices: Readonly<ModelPrices>
}

export interface PrivateModels {
  /** Throws `model_not_found`. */
  resolve(modelId: string): ResolvedModel
}

export interface ResolvedModel {
  /** As the caller named it. */
  id: string
  name: string
  /** Behind credentials of a user, such as those of a workflow's catalog. */
  isPrivate?: boolean
  /** A custom model's own, laid over those of its base; the system prompt apart. */
  params: Record<string, unknown>
  system: string | null
  capabilities: readonly string[]
  /** Filters that run for it, by id: its own and those of its bases. */
  filterIds: readonly string[]
  /** The model's context in tokens; null where it is unknown. */
  contextLength: number | null
  /**
   * Counts against the caller's allowance, then tries the backends that serve the model until one answers. Throws
   * `usage_limit_reached`, `provider_*` before the first byte; afterwards the stream itself fails.
   */
  call(call: ModelCall): ModelAnswer | Promise<ModelAnswer>
}

export interface ModelCall {
  actor: Actor
  /** A chat-completion request without any field of our own. `model` is set on the way out. */
  body: ProviderRequest
  signal: AbortSignal
  /** The part of the app that the call comes from, for models that are code. */
  origin?: CallOrigin
  /** Told who answers, once it is known: what the model costs there, or null where nobody said. */
  onAnswer?(by: { price: Price | null }): void
}

export interface CallOrigin {
  chatId: string | null
  messageId: string | null
  sessionId: string | null
  /** Sends an event to the caller's tabs; does nothing if the reply has no message. */
  emit(event: UiEvent): void
  /** The files and collections that the request names. */
  files: readonly unknown[]
  /** The request's own tools, which such a model may call itself. */
  tools: readonly { name: string; description: string; parameters: Record<string, unknown> }[]
  callTool(name: string, args: Record<string, unknown>): Promise<unknown>
}

export type ProviderRequest = Record<string, unknown> & { messages: ChatMessage[]; stream?: boolean | null }

export type ModelAnswer = WholeAnswer | StreamAnswer

export interface WholeAnswer {
  kind: 'whole'
  /** A chat-completion object; `model` is the id the caller named. */
  completion: Record<string, unknown>
}

export interface StreamAnswer {
  kind: 'stream'
  /**
   * Server-sent events of the chat-completion API as bytes; each piece holds whole frames. It may lack the final
   * `[DONE]`; an error frame or a failing stream ends it early. Usage is counted on the way; a usage frame comes through
   * only when asked for.
   */
  flow: ReplyFlow
}

export interface ReplyFlow extends ByteFlow {
  /** As far as it has been read: `finished` once the provider told why the model stopped, `done` after its `[DONE]`. */
  readonly ending: 'open' | 'finished' | 'done'
}

/** One connection that serves a model. */
export interface Backend {
  connectionId: string
  type: 'upstream' | 'compat'
  /** Without a trailing slash. */
  url: string
  /** That connection's own id for the model; empty for a runtime as a whole. */
  nativeId: string
  timeoutMs: number
  /** Calls it through the outbound door with its key, its breaker and its time limits. The reply is not changed. */
  fetch(request: BackendRequest): Promise<BackendReply>
}

export interface BackendRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  /** From the connection's url on, such as `/api/tags`. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array | Readable
  signal: AbortSignal
}

export interface BackendReply {
  status: number
  headers: ReadonlyMap<string, string>
  body: Readable
}

/** Models that are code instead of a connection. */
export interface ModelSource {
  list(): readonly SourceModel[]
  /** Text pieces, or whole chunks of the chat-completion API. */
  call(modelId: string, call: ModelCall): AsyncIterable<string | Record<string, unknown>>
}

export interface SourceModel {
  id: string
  name: string
  ownedBy: string
  description: string
  /** Absent: open to every signed-in caller. */
  access?: Pick<GrantQuestion, 'owner' | 'grants'>
}
