/** Endpoints and deliveries as the API returns them. Secrets have no presenter. */
import type { Webhook, WebhookDelivery } from '@chancery/contract/platform/webhooks.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { DeliveryRow, EndpointRow } from './queries.ts'

export const presentEndpoint = (row: EndpointRow): Webhook => ({
  id: row.id,
  url: row.url,
  description: row.description,
  eventTypes: row.eventTypes,
  enabled: row.enabled,
  disabledReason: row.disabledReason,
  oldSecretEndsAt: row.oldSecretEndsAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  state: row.state,
  payload: parseOwn(row.body),
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})
