/** The interface of the pipeline for other modules, with the ports that plugins and knowledge fill. */

import type { ChatMessage, CompletionBody } from '@chancery/contract/chats/completions.ts'
import type { UiEvent } from '@chancery/contract/chats/events.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'
import type { PrivateModels, ResolvedModel } from '#modules/models/index.ts'
import type { Chunk } from './rounds/chunk.ts'

export interface Completions extends Module {
  /** One completion through the whole pipeline. Throws before the first chunk; a stream throws later failures where it is read. */
  complete(request: CompletionRequest): Promise<CompletionOutcome>
  /** True when filters run for every request to this model: then no other way may lead to it. */
  isFiltered(model: Pick<ResolvedModel, 'filterIds'>): boolean
  /** Port: filters around each request, in the order of their priority. */
  registerFilters(source: FilterSource): void
  /** Port: finds passages in the files and collections of a request. */
  registerRetriever(retriever: Retriever): void
  /** Port: searches the web where `features.web_search` is on. */
  registerWebSearcher(searcher: WebSearcher): void
  /** Port: acts on a switch under `features` (memory, web_search, …). */
  registerFeature(name: string, feature: Feature): void
}

export interface CompletionRequest {
  actor: Actor
  body: CompletionBody
  /** Aborted when the only reader is gone. A reply that belongs to a chat continues. */
  signal: AbortSignal
  /** The caller doesn't wait: the outcome is `begun`. Only for a reply that belongs to a chat. */
  respondsAsync?: boolean
  /** Told the id of the reply's task, before the model is asked. Only for a reply that belongs to a chat. */
  onTask?(taskId: string): void
  /** Resolves the model instead of the instance's own models: the catalog of a workflow run. */
  models?: PrivateModels
}

export type CompletionOutcome =
  | { kind: 'whole'; completion: Record<string, unknown>; taskId: string | null }
  /** Chunks of the chat-completion API, in order; a failure after the first is thrown. */
  | { kind: 'stream'; chunks: AsyncIterable<Chunk>; taskId: string | null }
  | { kind: 'begun'; taskId: string }

export interface FilterContext {
  actor: Actor
  modelId: string
  chatId: string | null
  messageId: string | null
  sessionId: string | null
  /** The filters of the model itself, by id. */
  modelFilterIds: readonly string[]
  /** Which background task the model is asked for, such as `title_generation`; absent for a person's own request. */
  task?: string
  /** Sends an event to the caller's tabs; does nothing if the reply has no message. */
  emit(event: UiEvent): void
}

export interface Filter {
  id: string
  /** Lower comes first; equal ones by id. */
  priority: number
  /** If it fails nothing passes: the request or the reply ends with `filter_failed`. Without it a failure changes nothing. */
  mustHold?: boolean
  /** May change the request, or refuse it by throwing. */
  inlet?(body: CompletionBody, context: FilterContext): Promise<CompletionBody>
  /** May change a chunk, or drop it by returning null. A reply that isn't streamed is one chunk. */
  stream?(chunk: Record<string, unknown>, context: FilterContext): Promise<Record<string, unknown> | null>
  /** May change the finished conversation. */
  outlet?(payload: OutletPayload, context: FilterContext): Promise<OutletPayload>
}

export type OutletPayload = Record<string, unknown> & { messages: ChatMessage[] }

/** The filters for a request; `filterIds` are the ones it asked for by name. */
export interface FilterSource {
  /** True when a request for this model has filters even if it names none. Absent: it may. */
  appliesTo?(model: Pick<ResolvedModel, 'filterIds'>): boolean
  filtersFor(context: FilterContext, filterIds: readonly string[]): Promise<readonly Filter[]> | readonly Filter[]
}

export interface Retriever {
  /** Throws if the actor may not read a file or collection, unless it's of an earlier message. `sources` have the contract's citation shape. */
  retrieve(request: {
    actor: Actor
    files: readonly { type: string; id: string; earlier?: boolean | undefined }[]
    query: string
    /** The model's context in tokens, where it is known. */
    contextTokens?: number | undefined
    signal: AbortSignal
  }): Promise<{ sources: unknown[]; context: string }>
}

/** Never throws because of the search itself. The passages in `context` are numbered from `firstNumber` on. */
export type WebSearcher = (request: {
  actor: Actor
  query: string
  firstNumber: number
  /** Tells the person how the search goes. */
  emit: FilterContext['emit']
  signal: AbortSignal
}) => Promise<{ sources: unknown[]; context: string }>

/** Throws if the actor may not read the file, or it is no image. */
export type ImageReader = (request: { actor: Actor; fileId: string; signal: AbortSignal }) => Promise<string>

export type Feature = (body: CompletionBody, context: FilterContext) => Promise<CompletionBody>
