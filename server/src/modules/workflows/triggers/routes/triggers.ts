/** Triggers of a workflow, of all kinds. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../../context.ts'
import { getWorkflow } from '../../definitions/get-workflow.ts'
import { addCronTrigger } from '../add-cron-trigger.ts'
import { addEventTrigger } from '../add-event-trigger.ts'
import { addWebhookTrigger } from '../add-webhook-trigger.ts'
import { listTriggersUnscoped } from '../any-trigger.ts'
import { changeTrigger } from '../change-trigger.ts'
import { deleteTrigger } from '../delete-trigger.ts'
import { presentCron, presentEvent, presentTrigger, presentWebhook } from '../present-trigger.ts'
import { testFilter } from '../test-filter.ts'
import { testTimetable } from '../test-timetable.ts'

export const triggerRoutes = (context: WorkflowsContext): Route[] => {
  const { kernel } = context
  return [
    route({
      ...endpoints.listTriggers,
      access: 'user',
      summary: 'List the triggers of a workflow: events, schedules and webhooks',
      handle: async ({ actor, params: { id } }) => {
        await getWorkflow(kernel.db, actor, id)
        const triggers = await listTriggersUnscoped(context, kernel.db, id)
        return { items: triggers.map((trigger) => presentTrigger(kernel, trigger)), total: triggers.length }
      },
    }),
    route({
      ...endpoints.addEventTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Start a published workflow for events of a type that match the filter',
      handle: async ({ actor, params, body, http }) =>
        presentEvent((await addEventTrigger(context, actor, { workflowId: params.id, body, from: http })).row),
    }),
    route({
      ...endpoints.testEventTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Try a filter on the newest events that you may see',
      handle: ({ actor, params, body }) => testFilter(context, actor, { workflowId: params.id, body }),
    }),
    route({
      ...endpoints.addCronTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Start the workflow on a schedule: five cron fields in a time zone',
      keepsIntegers: true,
      handle: async ({ actor, params, body, http }) =>
        presentCron((await addCronTrigger(context, actor, { workflowId: params.id, body, from: http })).row),
    }),
    route({
      ...endpoints.testCronTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Preview the next five times of a schedule',
      handle: ({ actor, params, body }) => testTimetable(context, actor, { workflowId: params.id, body }),
    }),
    route({
      ...endpoints.addWebhookTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Start the workflow for signed webhook requests; only this reply shows the secret',
      handle: async ({ actor, params, body, http }) => {
        const request = { workflowId: params.id, body, from: http }
        const { secret, ...trigger } = await addWebhookTrigger(context, actor, request)
        return { ...presentWebhook(kernel, trigger), secret }
      },
    }),
    route({
      ...endpoints.changeTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change, enable or disable a trigger, or rotate the secret of a webhook',
      handle: async ({ actor, params, body: patch, http: from }) => {
        const { secret, ...trigger } = await changeTrigger(context, actor, {
          workflowId: params.id,
          id: params.triggerId,
          patch,
          from,
        })
        return { ...presentTrigger(kernel, trigger), ...(secret !== undefined && { secret }) }
      },
    }),
    route({
      ...endpoints.deleteTrigger,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a trigger; runs that it started continue',
      handle: ({ actor, params, http }) =>
        deleteTrigger(context, actor, { workflowId: params.id, id: params.triggerId, from: http }),
    }),
  ]
}
