import type { Authenticate } from '#kernel/http/actor.ts'
import type { Log } from '#kernel/log.ts'
import type { Quotas } from '#kernel/quotas/index.ts'
import type { Tasks } from '#kernel/tasks.ts'
import type { Topics } from './topics.ts'

export interface RealtimeContext {
  authenticate: Authenticate
  /** The header that may carry an API key. */
  keyHeader: string
  /** The public URL, where it is configured. */
  externalUrl: string | undefined
  log: Log
  quotas: Pick<Quotas, 'mostOf'>
  tasks: Tasks
  topics: Topics
}
