/** Receives webhook deliveries. */
import { HookReply } from '@chancery/contract/workflow-triggers.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../context.ts'
import { receiveDelivery } from '../triggers/receive-delivery.ts'
import { hookPath } from '../triggers/webhook-keys.ts'
import type { Webhooks } from '../triggers/webhooks.ts'

export const hookRoutes = (context: WorkflowsContext, webhooks: Webhooks): Route[] => [
  route({
    method: 'POST',
    path: `${hookPath}/:token`,
    access: 'public',
    summary: 'Deliver a signed webhook (Standard Webhooks or GitHub signatures); 202 once its event is stored',
    accepts: 'bytes',
    maxBodyBytes: context.kernel.config.EVENT_MAX_PAYLOAD_BYTES,
    reply: HookReply,
    status: 202,
    handle: async ({ params, http }) => {
      const delivery = { header: (name: string) => http.header(name), bytes: http.bytes }
      const { event, duplicate } = await receiveDelivery(context, webhooks, {
        ...delivery,
        token: params.token,
        ip: http.ip,
      })
      return { event_id: event.eventId, duplicate }
    },
  }),
]
