import { CronTriggerBody, EventTriggerBody, WebhookTriggerBody } from '@chancery/contract/workflows/triggers.ts'
import { describe, expect, it } from 'vitest'
import { catalogAndSpaceOf, cronBody, eventBody, eventChoicesOf, webhookBody } from './trigger-body.ts'

const nowhere = catalogAndSpaceOf(undefined)

describe('the request body of a trigger', () => {
  it('has no filter if none was typed', () => {
    const body = eventBody({ name: 'Orders' }, { ...eventChoicesOf(undefined), eventType: ' order_created ' }, nowhere)
    expect(body).toMatchObject({ event_type: 'order_created', filter_expr: null, concurrency: 'parallel' })
    expect(EventTriggerBody.safeParse(body).success).toBe(true)
  })

  it('has the input as JSON, or null if empty', () => {
    const choices = { cron: '0 8 * * *', timezone: 'UTC', misfire: 'skip' as const }
    expect(cronBody({ name: 'x', input: '{"a": 1}' }, choices, nowhere).input).toEqual({ a: 1 })
    const body = cronBody({ name: 'x', input: ' ' }, choices, nowhere)
    expect(body.input).toBeNull()
    expect(CronTriggerBody.safeParse(body).success).toBe(true)
  })

  it('leaves out the event type of a webhook if none was typed', () => {
    const body = webhookBody(
      { name: 'x', event_type: '' },
      { catalogAndSpace: nowhere, includesRequest: false, isNew: true },
    )
    expect(body).not.toHaveProperty('event_type')
    expect(WebhookTriggerBody.safeParse(body).success).toBe(true)
  })
})
