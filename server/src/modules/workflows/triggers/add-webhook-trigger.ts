/** A URL for signed requests. Each becomes an event, and a subscription of the webhook starts the workflow for it. */
import type { WebhookTriggerBody } from '@chancery/contract/workflows/triggers.ts'
import type { z } from 'zod'
import type { Actor } from '#kernel/http/actor.ts'
import { checkFilter } from '#modules/event-bus/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { triggersQuota } from '../quotas.ts'
import { type Addition, addTrigger, referencesOf } from './add-trigger.ts'
import { insertWebhookUnscoped, type WebhookRow } from './queries/webhooks.ts'
import { makeKeys } from './webhook-keys.ts'
import { checkSecret } from './webhook-secret.ts'
import { webhookFilter } from './webhook-source.ts'

type Request = Addition<z.output<typeof WebhookTriggerBody>>

/** A secret of our making is returned only here. */
export const addWebhookTrigger = (context: WorkflowsContext, actor: Actor, request: Request) =>
  addTrigger(context, actor, {
    ...request,
    add: async (tx, { id: workflowId, scopeId }) => {
      const { name, event_type, scheme = 'standard', enabled = true, filter_expr = null, secret: given } = request.body
      checkFilter(filter_expr)
      checkSecret(scheme, given)
      await context.kernel.quotas.requireRoom(tx, triggersQuota, { scopeId })
      const shared = { workflowId, scopeId, name, enabled, eventType: event_type ?? 'webhook_received' }
      const references = referencesOf(request.body)
      const id = context.kernel.ids.next()
      const subscription = await context.bus.createSubscription(tx, {
        ...shared,
        ...references,
        filterExpr: webhookFilter(id, filter_expr),
        concurrency: 'parallel',
        allowReentry: false,
      })
      const { secret, row: keys } = makeKeys(context.kernel, id, given)
      const row = {
        ...shared,
        ...references,
        ...keys,
        id,
        scheme,
        ...optionsOf(request.body),
        sealedOldSecret: null,
        oldSecretEndsAt: null,
        subscriptionId: subscription.id,
        createdAt: subscription.createdAt,
      }
      await insertWebhookUnscoped(tx, row)
      return { kind: 'webhook' as const, row, subscription, ...(given === undefined && { secret }) }
    },
  })

const optionsOf = (body: z.output<typeof WebhookTriggerBody>): WebhookOptions => ({
  signatureHeader: body.signature_header?.toLowerCase() ?? null,
  filterExpr: body.filter_expr ?? null,
  hasRequest: body.include_request ?? false,
  answerSec: body.answer_sec ?? null,
})
type WebhookOptions = Pick<WebhookRow, 'signatureHeader' | 'filterExpr' | 'hasRequest' | 'answerSec'>
