/**
 * A driver for one kind of backend. Drivers keep nothing: what must be remembered about a backend is on its client.
 * Inside, everything is the chat-completion API; a driver for another API translates both ways.
 */
import type { ByteFlow } from '#kernel/bytes/byte-flow.ts'
import type { OutboundReply } from '#kernel/outbound/index.ts'
import type { BackendRequest, ProviderRequest } from '../interface.ts'

export interface Driver {
  /** The backend's models, by its own ids. */
  listModels(client: ProviderClient, signal: AbortSignal): Promise<ListedModel[]>
  /**
   * Answers at the reply's head, or throws `provider_*`, the signal's reason when the caller is gone. A stream's bytes are
   * server-sent events of the chat-completion API, with a frame that holds `usage` whenever the backend tells it: who
   * did not ask for that frame is spared it further up.
   */
  chat(client: ProviderClient, request: ChatRequest): Promise<DriverAnswer>
}

/** Sends requests to one backend: address, key and time limits are set, callers add paths. */
export interface ProviderClient {
  /**
   * Throws `provider_failed` or `provider_timeout` when no reply comes, the signal's reason when the caller is gone.
   * Any status is a reply; see `refusalOf` for those that are none.
   */
  send(request: ClientRequest): Promise<OutboundReply>
  /** Facts learnt about this backend; lost with the process. */
  readonly traits: Traits
}

export interface ClientRequest extends BackendRequest {
  /** Cap on the reply. Without it the reply may be endless, and comes uncompressed so that no event is held back. */
  maxBytes?: number
  /** Instead of the connection's own limit to the first byte. */
  firstByteMs?: number
  /** From the call to the last byte; without it only silence ends a reply. */
  totalMs?: number
}

export interface Traits {
  /** Answered 400 to `stream_options` and well without. */
  refusesStreamOptions?: boolean
  /** Refuses `max_tokens`, and takes this instead. */
  limitField?: 'max_completion_tokens'
}

export interface ListedModel {
  /** The backend's own id for it. */
  id: string
  name: string
  ownedBy: string
  /** Unix seconds; null where the backend does not say. */
  created: number | null
  capabilities: readonly string[]
  contextLength: number | null
}

export interface ChatRequest {
  nativeId: string
  body: ProviderRequest
  signal: AbortSignal
  /** The most tokens of each answer, where the body has no limit. */
  addedLimit?: number
}

export type DriverAnswer = { kind: 'whole'; completion: Record<string, unknown> } | { kind: 'stream'; flow: ByteFlow }
