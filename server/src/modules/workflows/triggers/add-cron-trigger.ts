/** Starts a workflow on a schedule. It can be added before the workflow is published; until then no run starts. */
import type { CronTriggerBody } from '@chancery/contract/workflows/triggers.ts'
import type { z } from 'zod'
import type { Actor } from '#kernel/http/actor.ts'
import type { WorkflowsContext } from '../context.ts'
import { triggersQuota } from '../quotas.ts'
import { type Addition, addTrigger, referencesOf } from './add-trigger.ts'
import { insertCronTriggerUnscoped } from './queries/cron-triggers.ts'
import { checkTimetable, nextTime } from './timetable.ts'

type Request = Addition<z.output<typeof CronTriggerBody>>

export const addCronTrigger = (context: WorkflowsContext, actor: Actor, request: Request) =>
  addTrigger(context, actor, {
    ...request,
    add: async (tx, { id: workflowId, scopeId }) => {
      const { ids, clock } = context.kernel
      const now = clock.now()
      const { name, cron, timezone = 'UTC', input = null, misfire = 'fire_once', enabled = true } = request.body
      checkTimetable({ cron, timezone }, now)
      await context.kernel.quotas.requireRoom(tx, triggersQuota, { scopeId })
      const row = {
        id: ids.next(),
        workflowId,
        scopeId,
        name,
        cron,
        timezone,
        input,
        misfire,
        enabled,
        createdAt: now,
        ...referencesOf(request.body),
        nextAt: enabled ? nextTime({ cron, timezone }, now) : null,
      }
      await insertCronTriggerUnscoped(tx, row)
      return { kind: 'cron' as const, row }
    },
  })
