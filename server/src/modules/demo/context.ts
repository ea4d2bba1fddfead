/** What the parts of the demo share: the company while it is being filled, and its people as callers of the API. */
import type { Client } from '@chancery/client'
import type { Kernel } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { EventBus } from '#modules/event-bus/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Random } from './random.ts'

export type DemoContext = Pick<Kernel, 'blobs' | 'clock' | 'db' | 'ids' | 'mail'> & {
  accounts: Accounts
  organizations: Organizations
  bus: EventBus
}

/** Somebody of the company, who does what they do by the API. */
export interface Person extends Client {
  id: string
  name: string
  email: string
}

export interface Scene {
  context: DemoContext
  organizationId: string
  /** By first name, such as `maya`. */
  person(name: string): Person
  people: readonly Person[]
  /** Without a credential: what outsiders do. */
  visitor: Client
  random: Random
  now: Date
}
