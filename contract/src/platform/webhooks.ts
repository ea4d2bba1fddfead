/** `/api/signing/webhooks`: addresses of other systems that are told what happens, and what was sent to them. */
import { z } from 'zod'
import { IsoTime, line } from '../text.ts'

/** Without a user name or a password: those would be in every log on the way. */
const EndpointUrl = z
  .url({ protocol: /^https?$/, error: 'Enter an address that starts with https://' })
  .max(2000)
  .refine((text) => URL.parse(text)?.username === '' && URL.parse(text)?.password === '', {
    error: 'The address must not contain a password.',
  })
const EventTypes = z.array(z.string().min(1).max(100)).max(50)

export const WebhookBody = z.strictObject({
  url: EndpointUrl,
  description: line(200).optional(),
  /** None: all of them. */
  eventTypes: EventTypes.optional(),
})
export type WebhookBody = z.infer<typeof WebhookBody>

export const WebhookPatch = WebhookBody.partial().extend({ enabled: z.boolean().optional() })
export type WebhookPatch = z.infer<typeof WebhookPatch>

export const Webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  eventTypes: z.array(z.string()),
  enabled: z.boolean(),
  /** Why we switched it off; null otherwise. */
  disabledReason: z.string().nullable(),
  /** Until then deliveries are signed with the secret before the last rotation as well. */
  oldSecretEndsAt: IsoTime.nullable(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
})
export type Webhook = z.infer<typeof Webhook>

/** The secret is shown when it is made, and never again. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() })
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>

export const WebhookList = z.object({
  data: z.array(Webhook),
  /** All types that a webhook can choose. */
  eventTypes: z.array(z.object({ type: z.string(), description: z.string() })),
})

export const DeliveryState = z.enum(['PENDING', 'DELIVERED', 'FAILED'])

export const WebhookDelivery = z.object({
  /** Sent as `webhook-id`; the same in every attempt and replay. */
  id: z.uuid(),
  type: z.string(),
  state: DeliveryState,
  payload: z.unknown(),
  attempts: z.array(
    z.object({
      at: IsoTime,
      /** The HTTP status of the answer; null if there was none. */
      status: z.int().nullable(),
      error: z.string().nullable(),
      durationMs: z.int(),
    }),
  ),
  nextAttemptAt: IsoTime.nullable(),
  createdAt: IsoTime,
  endedAt: IsoTime.nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const DeliveryListQuery = z.strictObject({
  state: DeliveryState.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.uuid().optional(),
})
export const DeliveryList = z.object({ data: z.array(WebhookDelivery), next_cursor: z.uuid().nullable() })
