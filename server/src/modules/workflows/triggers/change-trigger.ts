/** Changes a trigger. Fields are checked as when it was added; fields of another kind are refused. */
import type { TriggerPatch } from '@chancery/contract/workflows/triggers.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { checkFilter, type Subscription } from '#modules/event-bus/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { getLockedWorkflow } from '../definitions/get-workflow.ts'
import { requireOwnTools } from '../definitions/require-own-tools.ts'
import { recordTriggerAction } from '../record-action.ts'
import { requireReferences } from './add-trigger.ts'
import { type AnyTrigger, getTriggerUnscoped } from './any-trigger.ts'
import { type CronRow, updateCronTriggerUnscoped } from './queries/cron-triggers.ts'
import { updateWebhookUnscoped, type WebhookRow } from './queries/webhooks.ts'
import { checkTimetable, nextTime } from './timetable.ts'
import { rotateSecret } from './webhook-keys.ts'
import { checkSecret } from './webhook-secret.ts'
import { webhookFilter } from './webhook-source.ts'
import { webhookTopic } from './webhooks.ts'

const everyKind = ['name', 'enabled', 'catalog_id', 'space_id']
const fields: Record<AnyTrigger['kind'], readonly string[]> = {
  event: [...everyKind, 'event_type', 'filter_expr', 'concurrency', 'allow_reentry'],
  cron: [...everyKind, 'cron', 'timezone', 'input', 'misfire'],
  webhook: [
    ...everyKind,
    'event_type',
    'rotate_secret',
    'secret',
    'signature_header',
    'filter_expr',
    'include_request',
    'answer_sec',
  ],
}

interface Change {
  workflowId: string
  id: string
  patch: TriggerPatch
  from: Origin
}

export const changeTrigger = (
  context: WorkflowsContext,
  actor: Actor,
  { workflowId, id, patch, from }: Change,
): Promise<AnyTrigger & { secret?: string }> =>
  context.kernel.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    await getLockedWorkflow(tx, actor, workflowId)
    const trigger = await getTriggerUnscoped(context, tx, { workflowId, id })
    const named = Object.keys(patch)
    requireKnownFields(trigger.kind, named)
    await requireReferences(tx, actor, patch)
    await requireOwnTools(context, tx, actor, { workflowIds: [workflowId] })
    const changed = await changeKind(context, tx, trigger, patch)
    if (named.length > 0)
      await recordTriggerAction(context, tx, {
        action: 'update',
        actor,
        from,
        trigger: changed,
        detail: { fields: named },
      })
    return changed
  })

const requireKnownFields = (kind: AnyTrigger['kind'], named: readonly string[]): void => {
  const problems = named
    .filter((name) => !fields[kind].includes(name))
    .map((name) => ({
      loc: ['body', name],
      msg: `Not a field of a trigger of kind ${kind}.`,
      type: 'unknown_field',
    }))
  if (problems.length > 0) throw new AppError('validation_failed', { problems })
}

const changeKind = async (context: WorkflowsContext, tx: Db, trigger: AnyTrigger, patch: TriggerPatch) => {
  if (trigger.kind === 'event') return { kind: trigger.kind, row: await changeEvent(context, tx, trigger.row, patch) }
  if (trigger.kind === 'cron') return { kind: trigger.kind, row: await changeCron(context, tx, trigger.row, patch) }
  return { kind: trigger.kind, ...(await changeWebhook(context, tx, trigger.row, patch)) }
}

const sharedChange = ({ name, enabled, catalog_id, space_id }: TriggerPatch) => ({
  ...(name !== undefined && { name }),
  ...(enabled !== undefined && { enabled }),
  ...(catalog_id !== undefined && { catalogId: catalog_id }),
  ...(space_id !== undefined && { spaceId: space_id }),
})

const changeEvent = (
  { bus }: WorkflowsContext,
  tx: Db,
  { id }: Subscription,
  { event_type, filter_expr, concurrency, allow_reentry, ...patch }: TriggerPatch,
): Promise<Subscription> =>
  bus.updateSubscription(tx, id, {
    ...sharedChange(patch),
    ...(event_type !== undefined && { eventType: event_type }),
    ...(filter_expr !== undefined && { filterExpr: filter_expr }),
    ...(concurrency !== undefined && { concurrency }),
    ...(allow_reentry !== undefined && { allowReentry: allow_reentry }),
  })

/** Times that passed while it was disabled, or under the previous schedule, are not made up. */
const changeCron = async (
  { kernel: { clock } }: WorkflowsContext,
  tx: Db,
  row: CronRow,
  patch: TriggerPatch,
): Promise<CronRow> => {
  const { cron = row.cron, timezone = row.timezone, enabled = row.enabled, misfire, input } = patch
  const now = clock.now()
  const hasNewSchedule = cron !== row.cron || timezone !== row.timezone || enabled !== row.enabled
  if (hasNewSchedule) checkTimetable({ cron, timezone }, now)
  return updateCronTriggerUnscoped(tx, row.id, {
    ...sharedChange(patch),
    ...(hasNewSchedule && { cron, timezone, nextAt: enabled ? nextTime({ cron, timezone }, now) : null }),
    ...(misfire !== undefined && { misfire }),
    ...(input !== undefined && { input }),
  })
}

/** Its subscription changes with it. A new secret is shown only where it is of our making. */
const changeWebhook = async (
  { kernel, bus }: WorkflowsContext,
  tx: Db,
  row: WebhookRow,
  patch: TriggerPatch,
): Promise<{ row: WebhookRow; subscription: Subscription | undefined; secret?: string }> => {
  const { event_type, filter_expr, rotate_secret, secret } = patch
  if (filter_expr !== undefined) checkFilter(filter_expr)
  const isRotated = rotate_secret || secret !== undefined
  if (isRotated) checkSecret(row.scheme, secret)
  const shared = { ...sharedChange(patch), ...(event_type !== undefined && { eventType: event_type }) }
  const rotation = isRotated ? rotateSecret(kernel, row, secret) : undefined
  const change = { ...shared, ...optionsChange(patch), ...rotation?.change }
  if (Object.keys(change).length > 0) await updateWebhookUnscoped(tx, row.id, change)
  const filterExpr = filter_expr === undefined ? {} : { filterExpr: webhookFilter(row.id, filter_expr) }
  // The name goes along so that any change resumes it.
  const patched = Object.keys(change).length > 0 ? { name: row.name, ...shared, ...filterExpr } : {}
  const subscription =
    row.subscriptionId === null ? undefined : await bus.updateSubscription(tx, row.subscriptionId, patched)
  await kernel.signals.send(tx, webhookTopic, row.id)
  return {
    row: { ...row, ...change },
    subscription,
    ...(rotation && secret === undefined && { secret: rotation.secret }),
  }
}

const optionsChange = ({ signature_header, filter_expr, include_request, answer_sec }: TriggerPatch) => ({
  ...(signature_header !== undefined && { signatureHeader: signature_header?.toLowerCase() ?? null }),
  ...(filter_expr !== undefined && { filterExpr: filter_expr }),
  ...(include_request !== undefined && { hasRequest: include_request }),
  ...(answer_sec !== undefined && { answerSec: answer_sec }),
})
