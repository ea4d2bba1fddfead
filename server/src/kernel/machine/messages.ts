/** What the supervisor and its servers say to each other, as JSON over Node's own channel between parent and child. */
import type { Secrets } from '../config/secrets.ts'
import type { PlaceOnMachine, RateOnMachine } from '../process/machine.ts'

/** What a server is told once, before it starts. */
export interface Orders {
  count: number
  slot: number
  port: number
  folder: string
  databaseUrl: string
  secrets: Secrets
}

/** What a server says once it answers requests. */
export interface Ready {
  address: string
  isSetUp: boolean
}

/** Asked by a server, answered by the supervisor. */
export type Question =
  | { ask: 'send'; channel: string; text: string }
  | { ask: 'subscribe'; channels: readonly string[] }
  | { ask: 'take'; rate: RateOnMachine }
  | { ask: 'others'; question: string }

export type FromServer =
  | { type: 'beat' }
  | { type: 'ready'; ready: Ready }
  | { type: 'question'; id: number; question: Question }
  | { type: 'unsubscribe'; channel: string }
  /** Answered when it is the tenant's turn. */
  | { type: 'place'; id: number; place: PlaceOnMachine }
  | { type: 'leave'; id: number }
  | { type: 'answer'; id: number; answer: string | undefined }

export type ToServer =
  | { type: 'start'; orders: Orders }
  | { type: 'stop'; isReplaced: boolean }
  | { type: 'answer'; id: number; answer: unknown }
  | { type: 'message'; channel: string; text: string }
  | { type: 'question'; id: number; question: string }

/** Between a server's signs of life. */
export const beatMs = 1000
