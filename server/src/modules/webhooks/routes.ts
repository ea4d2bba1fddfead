/** Webhooks: endpoints, their secrets, and the log of deliveries. */
import {
  DeliveryList,
  DeliveryListQuery,
  Webhook,
  WebhookBody,
  WebhookDelivery,
  WebhookList,
  WebhookPatch,
  WebhookWithSecret,
} from '@chancery/contract/webhooks.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { WebhooksContext } from './context.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  replayDelivery,
  requireManager,
  rotateEndpointSecret,
  testEndpoint,
} from './manage-endpoint.ts'
import { presentDelivery, presentEndpoint } from './present.ts'
import { type EndpointRow, listDeliveriesUnscoped, listEndpoints } from './queries.ts'

const base = '/api/signing/webhooks'
const one = `${base}/:id`

const withSecret = ({ endpoint, secret }: { endpoint: EndpointRow; secret: string }) => ({
  ...presentEndpoint(endpoint),
  secret,
})

export const webhookRoutes = (context: WebhooksContext): Route[] => [
  ...endpointRoutes(context),
  ...deliveryRoutes(context),
]

const endpointRoutes = (context: WebhooksContext): Route[] => [
  route({
    method: 'GET',
    path: base,
    access: 'user',
    summary: 'List webhooks and the event types they can have',
    reply: WebhookList,
    handle: async ({ actor }) => {
      requireManager(actor)
      const data = await listEndpoints(context.kernel.db, actor)
      return { data: data.map(presentEndpoint), eventTypes: [...context.types] }
    },
  }),
  route({
    method: 'POST',
    path: base,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a webhook; its secret is in this reply only',
    body: WebhookBody,
    reply: WebhookWithSecret,
    status: 201,
    handle: async ({ actor, body, http }) => withSecret(await createEndpoint(context, { actor, from: http }, body)),
  }),
  route({
    method: 'GET',
    path: one,
    access: 'user',
    summary: 'Get a webhook',
    reply: Webhook,
    handle: async ({ actor, params }) => presentEndpoint(await getEndpoint(context.kernel.db, actor, params.id)),
  }),
  route({
    method: 'PATCH',
    path: one,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change a webhook, or switch it off and on',
    body: WebhookPatch,
    reply: Webhook,
    handle: async ({ actor, params, body, http }) =>
      presentEndpoint(await changeEndpoint(context, { actor, id: params.id, from: http }, body)),
  }),
  route({
    method: 'DELETE',
    path: one,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a webhook with its log',
    handle: ({ actor, params, http }) => deleteEndpoint(context, { actor, id: params.id, from: http }),
  }),
  route({
    method: 'POST',
    path: `${one}/rotate-secret`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Make a new secret; the old one also signs for a day',
    reply: WebhookWithSecret,
    handle: async ({ actor, params, http }) =>
      withSecret(await rotateEndpointSecret(context, { actor, id: params.id, from: http })),
  }),
]

const deliveryRoutes = (context: WebhooksContext): Route[] => [
  route({
    method: 'POST',
    path: `${one}/test`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Send a test message',
    reply: WebhookDelivery,
    status: 202,
    handle: async ({ actor, params, http }) =>
      presentDelivery(await testEndpoint(context, { actor, id: params.id, from: http })),
  }),
  route({
    method: 'GET',
    path: `${one}/deliveries`,
    access: 'user',
    summary: 'List what was sent to a webhook, newest first',
    query: DeliveryListQuery,
    reply: DeliveryList,
    handle: async ({ actor, params, query }) => {
      const { id: endpointId } = await getEndpoint(context.kernel.db, actor, params.id)
      const rows = await listDeliveriesUnscoped(context.kernel.db, { endpointId, ...query })
      const page = rows.slice(0, query.limit)
      const next_cursor = rows.length > query.limit ? (page.at(-1)?.id ?? null) : null
      return { data: page.map(presentDelivery), next_cursor }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/deliveries/:deliveryId/replay`,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Send a delivery again, with the same ID',
    reply: WebhookDelivery,
    status: 202,
    handle: async ({ actor, params, http }) =>
      presentDelivery(
        await replayDelivery(context, { actor, id: params.id, deliveryId: params.deliveryId, from: http }),
      ),
  }),
]
