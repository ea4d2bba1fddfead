/**
 * The servers of one machine, as one of them sees the others. They are reached through the supervisor
 * (`kernel/machine`), which exists only where SVC_PROCESSES asks for more than one server.
 */

/** Publish and subscribe. Nothing here rejects or waits long: a message that can't be delivered at once is lost. */
export interface Channels {
  /** The number of servers that receive it, including this one if it subscribes to the channel. */
  send(channel: string, text: string): Promise<number>
  /** False when it failed. */
  subscribe(channels: readonly string[]): Promise<boolean>
  unsubscribe(channel: string): void
  isReady(): boolean
  close(): void
}

export interface ChannelUse {
  onMessage(channel: string, text: string): void
  /** Called when nothing is subscribed: at the first connection and at each reconnect. */
  onReady(): Promise<void>
}

export interface RateOnMachine {
  key: string
  nowUs: number
  max: number
  windowSec: number
}

export interface SpentOnMachine {
  allowed: boolean
  remaining: number
  retryAfterUs: number
}

/** One of few places, for work of this tenant. */
export interface PlaceOnMachine {
  /** What there are few places for, the same in every server. */
  name: string
  /** As in `PlaceRule`. */
  most: number
  perTenant: number
  spare: number
  tenant: string
}

export interface Siblings {
  /** For socket files, over which they reach each other. Nobody else may enter it. */
  folder: string
  openChannels(use: ChannelUse): Channels
  /** Counts a call for the whole machine. Rejects when the supervisor doesn't answer within `timeoutMs`. */
  take(rate: RateOnMachine, timeoutMs: number): Promise<SpentOnMachine>
  /** Calls `begin` at the tenant's turn. The result gives the place back, or the position in the line. */
  takePlace(place: PlaceOnMachine, begin: () => void): () => void
  /** What the other servers answer to the question of this name; undefined for each that doesn't answer in time. */
  askOthers(question: string): Promise<(string | undefined)[]>
  /** Answers such questions of others. */
  answerOthers(question: string, answer: () => Promise<string>): void
}

export interface Machine {
  /** Servers that share the machine: what it has only once is divided by this. */
  count: number
  /** No two servers that run at the same time have the same; it may be higher than `count` while they are replaced. */
  slot: number
  /** Undefined where this server is the only one. */
  siblings?: Siblings
}

export const aloneOnMachine: Machine = { count: 1, slot: 0 }

/** This server's part of what the machine has once: at least one. */
export const partOf = ({ count }: Machine, whole: number): number => Math.max(1, Math.floor(whole / count))
