import type { Db } from '#kernel/db/database.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Organizations } from '#modules/organizations/index.ts'

export interface EventType {
  type: string
  /** One sentence for the screen. */
  description: string
}

export interface WebhooksContext {
  kernel: Kernel
  organizations: Pick<Organizations, 'requireWritable'>
  types: readonly EventType[]
  /** Enqueues an attempt in the caller's transaction. */
  enqueue(tx: Db, delivery: { id: string; endpointId: string; scopeId: string }, at?: Date): Promise<void>
}
