/** Triggers: their routes, the schedule, and the retention of its records. */
import type { Route } from '#kernel/http/route.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { WorkflowsContext } from '../context.ts'
import { fireDue } from './fire-due.ts'
import { anyCronDueUnscoped } from './queries/cron-triggers.ts'
import { fireRetentionJob } from './retention.ts'
import { hookRoutes } from './routes/hooks.ts'
import { triggerRoutes } from './routes/triggers.ts'
import { createWebhooks, webhookTopic } from './webhooks.ts'

interface Triggers {
  routes: readonly Route[]
  jobs: readonly JobDefinition[]
  /** Fires due triggers until the signal aborts. */
  start(signal: AbortSignal): void
}

export const createTriggers = (context: WorkflowsContext): Triggers => {
  const { checks, clock, config, signals } = context.kernel
  const webhooks = createWebhooks(context)
  context.deleteListeners.push((tx, workflowId) => signals.send(tx, webhookTopic, workflowId))

  return {
    routes: [...triggerRoutes(context), ...hookRoutes(context, webhooks)],
    jobs: [fireRetentionJob(context.kernel)],
    start: (signal) => {
      if (config.SVC_ROLE === 'api') return
      const question = () => anyCronDueUnscoped(clock.now())
      const act = async (): Promise<void> => {
        while (!signal.aborted && (await fireDue(context)));
      }
      checks.add({ name: 'workflows.cron', question, act }, signal)
    },
  }
}
