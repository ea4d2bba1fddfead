/** Receives webhook deliveries. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import type { HookReply } from '@chancery/contract/workflows/triggers.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WorkflowsContext } from '../../context.ts'
import { answerDelivery } from '../answer-delivery.ts'
import { receiveDelivery } from '../receive-delivery.ts'
import type { Webhooks } from '../webhooks.ts'

export const hookRoutes = (context: WorkflowsContext, webhooks: Webhooks): Route[] => [
  route({
    ...endpoints.callHook,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary:
      "Deliver a signed webhook; 202 once its event is stored, or 200 with the run's output where it waits for that",
    accepts: 'bytes',
    maxBodyBytes: context.kernel.config.EVENT_MAX_PAYLOAD_BYTES,
    handle: async ({ params, http }) => {
      const received = await receiveDelivery(context, webhooks, {
        header: (name) => http.header(name),
        headerNames: () => http.headerNames(),
        bytes: http.bytes,
        url: http.url,
        token: params.token,
        ip: http.ip,
      })
      if (received.kind === 'challenge') return json(200, { challenge: received.challenge })
      const { webhook, published } = received
      const stored: HookReply = { event_id: published.event.eventId, duplicate: published.duplicate }
      if (webhook.answerSec === null || webhook.subscriptionId === null) return json(202, stored)
      const answer = await answerDelivery(context, {
        eventId: stored.event_id,
        subscriptionId: webhook.subscriptionId,
        withinMs: webhook.answerSec * 1000,
        signal: http.signal,
      })
      return answer.kind === 'output' ? json(200, answer.output) : json(202, { ...stored, run_id: answer.runId })
    },
  }),
]

const json = (status: number, body: unknown): RawReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body) ?? 'null',
})
