/** Managing endpoints: create, change, delete, rotate the secret, test, replay. Each with its audit entry. */
import { can } from '@chancery/contract/abilities.ts'
import type { WebhookBody, WebhookPatch } from '@chancery/contract/platform/webhooks.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { problem } from '#kernel/http/bodies/validation.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { WebhooksContext } from './context.ts'
import { createDelivery } from './publish.ts'
import {
  type DeliveryRow,
  deleteEndpointUnscoped,
  type EndpointRow,
  findEndpoint,
  insertEndpointUnscoped,
  listEndpoints,
  lockDeliveryUnscoped,
  lockEndpoint,
  lockEndpoints,
  replayDeliveryUnscoped,
  updateEndpointUnscoped,
} from './queries.ts'
import { makeSecret, rotateSecret } from './secrets.ts'

const maxEndpoints = 20

/** Organization admins; people without an organization for themselves. Called before anything is looked up. */
export const requireManager = (actor: Actor): void => {
  if (!can(actor, 'manage-webhooks')) throw new AppError('forbidden')
}

export const getEndpoint = async (db: Db, actor: Actor, id: string): Promise<EndpointRow> => {
  requireManager(actor)
  const endpoint = await findEndpoint(db, actor, id)
  if (!endpoint) throw new AppError('webhook_not_found')
  return endpoint
}

interface Change {
  actor: Actor
  id: string
  from: Origin
}

type Action = 'create' | 'update' | 'delete' | 'rotate_secret' | 'test' | 'replay'

const recordAction = (
  { kernel }: WebhooksContext,
  tx: Db,
  { actor, from, id, action, detail }: Change & { action: Action; detail: Record<string, unknown> },
): Promise<void> =>
  kernel.audit.record(tx, { action: `webhook.${action}`, by: actor, from, target: { kind: 'webhook', id }, detail })

/** One transaction: the endpoint found through the actor and locked, the work, its audit entry. */
const withEndpoint = async <Result>(
  context: WebhooksContext,
  change: Change & { action: Action },
  work: (tx: Db, endpoint: EndpointRow) => Promise<Result>,
): Promise<Result> => {
  requireManager(change.actor)
  return context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, change.actor)
    const endpoint = await lockEndpoint(tx, change.actor, change.id)
    if (!endpoint) throw new AppError('webhook_not_found')
    const result = await work(tx, endpoint)
    await recordAction(context, tx, { ...change, detail: { url: endpoint.url } })
    return result
  })
}

const requireKnown = ({ types }: WebhooksContext, wanted: readonly string[] = []): void => {
  const index = wanted.findIndex((one) => !types.some(({ type }) => type === one))
  if (index >= 0) throw problem(['eventTypes', index], 'There is no event of this type.', 'unknown_event_type')
}

export const createEndpoint = async (
  context: WebhooksContext,
  { actor, from }: Omit<Change, 'id'>,
  { url, description = '', eventTypes = [] }: WebhookBody,
): Promise<{ endpoint: EndpointRow; secret: string }> => {
  requireManager(actor)
  requireKnown(context, eventTypes)
  const { kernel, organizations } = context
  const [id, now] = [kernel.ids.next(), kernel.clock.now()]
  const { secret, sealedSecret } = makeSecret(kernel, id)
  return kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await lockEndpoints(tx, actor)
    if ((await listEndpoints(tx, actor)).length >= maxEndpoints) throw new AppError('too_many_webhooks')
    const endpoint = await insertEndpointUnscoped(tx, {
      id,
      scopeId: scopeOf(actor),
      url,
      description,
      eventTypes: [...new Set(eventTypes)],
      enabled: true,
      disabledReason: null,
      sealedSecret,
      sealedOldSecret: null,
      oldSecretEndsAt: null,
      createdAt: now,
      updatedAt: now,
    })
    await recordAction(context, tx, { actor, from, id, action: 'create', detail: { url } })
    return { endpoint, secret }
  })
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

export const changeEndpoint = (context: WebhooksContext, change: Change, patch: WebhookPatch): Promise<EndpointRow> => {
  requireManager(change.actor)
  requireKnown(context, patch.eventTypes)
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  return withEndpoint(context, { ...change, action: 'update' }, (tx, { id }) =>
    updateEndpointUnscoped(tx, id, {
      ...(given as Defined<WebhookPatch>),
      ...(patch.enabled && { disabledReason: null }),
      updatedAt: context.kernel.clock.now(),
    }),
  )
}

export const deleteEndpoint = (context: WebhooksContext, change: Change): Promise<void> =>
  withEndpoint(context, { ...change, action: 'delete' }, (tx, { id }) => deleteEndpointUnscoped(tx, id))

export const rotateEndpointSecret = (
  context: WebhooksContext,
  change: Change,
): Promise<{ endpoint: EndpointRow; secret: string }> =>
  withEndpoint(context, { ...change, action: 'rotate_secret' }, async (tx, endpoint) => {
    const { secret, change: keys } = rotateSecret(context.kernel, endpoint)
    const updatedAt = context.kernel.clock.now()
    return { endpoint: await updateEndpointUnscoped(tx, endpoint.id, { ...keys, updatedAt }), secret }
  })

export const testEndpoint = (context: WebhooksContext, change: Change): Promise<DeliveryRow> =>
  withEndpoint(context, { ...change, action: 'test' }, (tx, { id, scopeId, enabled }) => {
    if (!enabled) throw new AppError('webhook_off')
    return createDelivery(context, tx, {
      endpointId: id,
      scopeId,
      type: 'test',
      data: { message: 'A test from Chancery.' },
    })
  })

/** The same message once more, with the same id: a receiver that has it can tell. */
export const replayDelivery = (
  context: WebhooksContext,
  { deliveryId, ...change }: Change & { deliveryId: string },
): Promise<DeliveryRow> =>
  withEndpoint(context, { ...change, action: 'replay' }, async (tx, { id: endpointId, scopeId, enabled }) => {
    const delivery = await lockDeliveryUnscoped(tx, { id: deliveryId, endpointId })
    if (!delivery) throw new AppError('delivery_not_found')
    if (!enabled) throw new AppError('webhook_off')
    if (delivery.state === 'PENDING') throw new AppError('delivery_pending')
    const replayed = await replayDeliveryUnscoped(tx, deliveryId, context.kernel.clock.now())
    await context.enqueue(tx, { id: deliveryId, endpointId, scopeId })
    return replayed
  })
