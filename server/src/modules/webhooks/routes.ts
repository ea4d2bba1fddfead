/** Webhooks: endpoints, their secrets, and the log of deliveries. */
import * as endpoints from '@chancery/contract/endpoints/webhooks.ts'
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
    ...endpoints.listWebhooks,
    access: 'user',
    summary: 'List webhooks and the event types they can have',
    handle: async ({ actor }) => {
      requireManager(actor)
      const data = await listEndpoints(context.kernel.db, actor)
      return { data: data.map(presentEndpoint), eventTypes: [...context.types] }
    },
  }),
  route({
    ...endpoints.createWebhook,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Create a webhook; its secret is in this reply only',
    handle: async ({ actor, body, http }) => withSecret(await createEndpoint(context, { actor, from: http }, body)),
  }),
  route({
    ...endpoints.getWebhook,
    access: 'user',
    summary: 'Get a webhook',
    handle: async ({ actor, params }) => presentEndpoint(await getEndpoint(context.kernel.db, actor, params.id)),
  }),
  route({
    ...endpoints.changeWebhook,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change a webhook, or switch it off and on',
    handle: async ({ actor, params, body, http }) =>
      presentEndpoint(await changeEndpoint(context, { actor, id: params.id, from: http }, body)),
  }),
  route({
    ...endpoints.deleteWebhook,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a webhook with its log',
    handle: ({ actor, params, http }) => deleteEndpoint(context, { actor, id: params.id, from: http }),
  }),
  route({
    ...endpoints.rotateSecret,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Make a new secret; the old one also signs for a day',
    handle: async ({ actor, params, http }) =>
      withSecret(await rotateEndpointSecret(context, { actor, id: params.id, from: http })),
  }),
]

const deliveryRoutes = (context: WebhooksContext): Route[] => [
  route({
    ...endpoints.testWebhook,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Send a test message',
    handle: async ({ actor, params, http }) =>
      presentDelivery(await testEndpoint(context, { actor, id: params.id, from: http })),
  }),
  route({
    ...endpoints.listDeliveries,
    access: 'user',
    summary: 'List what was sent to a webhook, newest first',
    handle: async ({ actor, params, query }) => {
      const { id: endpointId } = await getEndpoint(context.kernel.db, actor, params.id)
      const rows = await listDeliveriesUnscoped(context.kernel.db, { endpointId, ...query })
      const page = rows.slice(0, query.limit)
      const next_cursor = rows.length > query.limit ? (page.at(-1)?.id ?? null) : null
      return { data: page.map(presentDelivery), next_cursor }
    },
  }),
  route({
    ...endpoints.replayDelivery,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Send a delivery again, with the same ID',
    handle: async ({ actor, params, http }) =>
      presentDelivery(
        await replayDelivery(context, { actor, id: params.id, deliveryId: params.deliveryId, from: http }),
      ),
  }),
]
