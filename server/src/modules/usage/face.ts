/** What the floors above use of usage: the meter that every call to a model passes. */
import type { Actor } from '#kernel/http/actor.ts'
import type { Module } from '#kernel/kernel.ts'

export interface Usage extends Module {
  meter: Meter
}

export interface Meter {
  /** Throws `usage_limit_reached`. At once where nothing has to be looked up. */
  admit(actor: Actor): void | Promise<void>
  /** Never throws, never waits. */
  record(actor: Actor, use: Use): void
}

export interface Use {
  /** As the caller named it. */
  model: string
  promptTokens: number
  completionTokens: number
  failed: boolean
}
