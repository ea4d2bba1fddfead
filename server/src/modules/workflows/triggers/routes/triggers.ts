/** Triggers of a workflow, of all kinds. */
import {
  CronTrigger,
  CronTriggerBody,
  EventTrigger,
  EventTriggerBody,
  FilterTestBody,
  FilterTestReply,
  TimetableTestBody,
  TimetableTestReply,
  Trigger,
  TriggerList,
  TriggerPatch,
  WebhookTrigger,
  WebhookTriggerBody,
} from '@chancery/contract/workflow-triggers.ts'
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

const base = '/api/v1/agent-workflows/:id/triggers'

export const triggerRoutes = (context: WorkflowsContext): Route[] => {
  const { kernel } = context
  return [
    route({
      method: 'GET',
      path: base,
      access: 'user',
      summary: 'List the triggers of a workflow: events, schedules and webhooks',
      reply: TriggerList,
      handle: async ({ actor, params: { id } }) => {
        await getWorkflow(kernel.db, actor, id)
        const triggers = await listTriggersUnscoped(context, kernel.db, id)
        return { items: triggers.map((trigger) => presentTrigger(kernel, trigger)), total: triggers.length }
      },
    }),
    route({
      method: 'POST',
      path: `${base}/event`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Start a published workflow for events of a type that match the filter',
      body: EventTriggerBody,
      reply: EventTrigger,
      status: 201,
      handle: async ({ actor, params, body, http }) =>
        presentEvent((await addEventTrigger(context, actor, { workflowId: params.id, body, from: http })).row),
    }),
    route({
      method: 'POST',
      path: `${base}/event/test`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Try a filter on the newest events that you may see',
      body: FilterTestBody,
      reply: FilterTestReply,
      handle: ({ actor, params, body }) => testFilter(context, actor, { workflowId: params.id, body }),
    }),
    route({
      method: 'POST',
      path: `${base}/cron`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Start the workflow on a schedule: five cron fields in a time zone',
      keepsIntegers: true,
      body: CronTriggerBody,
      reply: CronTrigger,
      status: 201,
      handle: async ({ actor, params, body, http }) =>
        presentCron((await addCronTrigger(context, actor, { workflowId: params.id, body, from: http })).row),
    }),
    route({
      method: 'POST',
      path: `${base}/cron/test`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'allowed' },
      summary: 'Preview the next five times of a schedule',
      body: TimetableTestBody,
      reply: TimetableTestReply,
      handle: ({ actor, params, body }) => testTimetable(context, actor, { workflowId: params.id, body }),
    }),
    route({
      method: 'POST',
      path: `${base}/webhook`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Start the workflow for signed webhook requests; only this reply shows the secret',
      body: WebhookTriggerBody,
      reply: WebhookTrigger,
      status: 201,
      handle: async ({ actor, params, body, http }) => {
        const request = { workflowId: params.id, body, from: http }
        const { secret, ...trigger } = await addWebhookTrigger(context, actor, request)
        return { ...presentWebhook(kernel, trigger), secret }
      },
    }),
    route({
      method: 'PATCH',
      path: `${base}/:triggerId`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change, enable or disable a trigger, or rotate the secret of a webhook',
      body: TriggerPatch,
      reply: Trigger,
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
      method: 'DELETE',
      path: `${base}/:triggerId`,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a trigger; runs that it started continue',
      handle: ({ actor, params, http }) =>
        deleteTrigger(context, actor, { workflowId: params.id, id: params.triggerId, from: http }),
    }),
  ]
}
