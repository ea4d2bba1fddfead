/** What this module's use cases share. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { EventListener, FindWorkflowNames, RunStarter } from './face.ts'

export interface EventBusContext
  extends Pick<
    Kernel,
    'audit' | 'clock' | 'config' | 'db' | 'failpoints' | 'ids' | 'log' | 'sealer' | 'signals' | 'tasks'
  > {
  /** Refuses whoever belongs to an organization that may only read. */
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
  ports: Ports
}

/** Filled by the modules above, after this one was made. */
export interface Ports {
  starter: RunStarter | undefined
  listeners: EventListener[]
  findWorkflowNames: FindWorkflowNames
}
