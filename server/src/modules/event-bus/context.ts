import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { EventBusConfig } from './config.ts'
import type { EventListener, FindRunProgress, FindWorkflowNames, PauseListener, RunStarter } from './interface.ts'

export interface EventBusContext
  extends Pick<
    Kernel<EventBusConfig>,
    | 'audit'
    | 'checks'
    | 'clock'
    | 'config'
    | 'db'
    | 'expressions'
    | 'failpoints'
    | 'ids'
    | 'log'
    | 'sealer'
    | 'signals'
    | 'tasks'
  > {
  /** Throws if the actor's organization is read-only. */
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
  ports: Ports
}

/** Filled by modules above this one, after it was created. */
export interface Ports {
  starter: RunStarter | undefined
  listeners: EventListener[]
  pauseListeners: PauseListener[]
  findWorkflowNames: FindWorkflowNames
  findRunProgress: FindRunProgress
}
