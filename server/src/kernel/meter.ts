/**
 * Counts what callers use of the models and enforces their limits. A port: models calls it, usage implements it, and
 * neither knows the other.
 */
import type { Actor } from './http/actor.ts'

export interface Meter {
  /** Throws `usage_limit_reached`. Synchronous where nothing has to be looked up. */
  admit(actor: Actor): void | Promise<void>
  /** Never throws and never waits. */
  record(actor: Actor, use: Use): void
}

export interface Use {
  /** The model id as the caller named it. */
  model: string
  promptTokens: number
  completionTokens: number
  failed: boolean
}
