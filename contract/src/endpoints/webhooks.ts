/** Webhooks of signing. */

import { del, get, patch, post } from '../endpoint.ts'
import {
  DeliveryList,
  DeliveryListQuery,
  Webhook,
  WebhookBody,
  WebhookDelivery,
  WebhookList,
  WebhookPatch,
  WebhookWithSecret,
} from '../platform/webhooks.ts'

export const listWebhooks = get('/api/signing/webhooks', { reply: WebhookList })
export const createWebhook = post('/api/signing/webhooks', { body: WebhookBody, reply: WebhookWithSecret, status: 201 })
export const getWebhook = get('/api/signing/webhooks/:id', { reply: Webhook })
export const changeWebhook = patch('/api/signing/webhooks/:id', { body: WebhookPatch, reply: Webhook })
export const deleteWebhook = del('/api/signing/webhooks/:id')
export const rotateSecret = post('/api/signing/webhooks/:id/rotate-secret', { reply: WebhookWithSecret })
export const testWebhook = post('/api/signing/webhooks/:id/test', { reply: WebhookDelivery, status: 202 })
export const listDeliveries = get('/api/signing/webhooks/:id/deliveries', {
  query: DeliveryListQuery,
  reply: DeliveryList,
})
export const replayDelivery = post('/api/signing/webhooks/:id/deliveries/:deliveryId/replay', {
  reply: WebhookDelivery,
  status: 202,
})
