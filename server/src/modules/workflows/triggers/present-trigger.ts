/** Triggers as the API shows them, without their secrets. */
import type { CronTrigger, EventTrigger, Trigger, WebhookTrigger } from '@chancery/contract/workflows/triggers.ts'
import type { z } from 'zod'
import { unixSeconds } from '#kernel/clock.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Subscription } from '#modules/event-bus/index.ts'
import type { AnyTrigger } from './any-trigger.ts'
import type { CronRow } from './queries/cron-triggers.ts'
import { nextTimes } from './timetable.ts'
import { hookUrl } from './webhook-keys.ts'

const shownTimes = 5

const presentShared = (row: AnyTrigger['row']) => ({
  id: row.id,
  workflow_id: row.workflowId,
  name: row.name,
  catalog_id: row.catalogId,
  space_id: row.spaceId,
  enabled: row.enabled,
  created_at: unixSeconds(row.createdAt),
})

export const presentEvent = (row: Subscription): z.output<typeof EventTrigger> => ({
  ...presentShared(row),
  kind: 'event',
  event_type: row.eventType,
  filter_expr: row.filterExpr,
  concurrency: row.concurrency,
  allow_reentry: row.allowReentry,
  ...presentPause(row),
})

/** A webhook is paused with its own subscription. */
const presentPause = (subscription: Pick<Subscription, 'pausedAt' | 'pausedReason'> | undefined) => ({
  paused_at: subscription?.pausedAt ? unixSeconds(subscription.pausedAt) : null,
  paused_reason: subscription?.pausedReason ?? null,
})

export const presentCron = (row: CronRow): z.output<typeof CronTrigger> => ({
  ...presentShared(row),
  kind: 'cron',
  cron: row.cron,
  timezone: row.timezone,
  input: row.input,
  misfire: row.misfire,
  // Starts with the stored time, so that the list shows what will happen.
  next_times: row.nextAt === null ? [] : [row.nextAt, ...nextTimes(row, row.nextAt, shownTimes - 1)].map(unixSeconds),
})

type Deps = Pick<Kernel, 'sealer' | 'externalUrl' | 'clock'>

export const presentWebhook = (
  kernel: Deps,
  { row, subscription }: Omit<Extract<AnyTrigger, { kind: 'webhook' }>, 'kind'>,
): z.output<typeof WebhookTrigger> => {
  const { oldSecretEndsAt } = row
  const isOldLive = oldSecretEndsAt !== null && oldSecretEndsAt > kernel.clock.now()
  return {
    ...presentShared(row),
    kind: 'webhook',
    event_type: row.eventType,
    scheme: row.scheme,
    signature_header: row.signatureHeader,
    filter_expr: row.filterExpr,
    include_request: row.hasRequest,
    answer_sec: row.answerSec,
    ...presentPause(subscription),
    url: hookUrl(kernel, row),
    old_secret_ends_at: isOldLive ? unixSeconds(oldSecretEndsAt) : null,
  }
}

export const presentTrigger = (kernel: Deps, trigger: AnyTrigger): Trigger => {
  if (trigger.kind === 'event') return presentEvent(trigger.row)
  return trigger.kind === 'cron' ? presentCron(trigger.row) : presentWebhook(kernel, trigger)
}
