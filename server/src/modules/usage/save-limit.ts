/** Creates, changes and removes limits. Every node applies them as soon as the signal arrives. */
import type { LimitBody, LimitPatch } from '@chancery/contract/models/usage.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { nilId } from '#kernel/ids.ts'
import type { UsageContext } from './context.ts'
import { mayChange, mayLimit, maySee, requireLimiter } from './policy.ts'
import {
  type Caps,
  deleteLimitUnscoped,
  insertLimitUnscoped,
  type LimitRow,
  lockLimitUnscoped,
  updateLimitUnscoped,
} from './queries/limits.ts'
import { findSubjects, type Subject } from './subjects.ts'

type Deps = Pick<UsageContext, 'clock' | 'ids' | 'audit' | 'limitsCopy' | 'requireWritable'>

export interface SavedLimit {
  limit: LimitRow
  subject: Subject | undefined
}

export const createLimit = (
  context: Deps,
  actor: Actor,
  { body, from }: { body: LimitBody; from: Origin },
): Promise<SavedLimit> =>
  changeLimits(context, actor, async (tx) => {
    const setBy = requireLimiter(actor)
    const { subject_type: subjectType } = body
    if (!mayLimit(actor, subjectType)) throw new AppError('forbidden')
    const named = { subjectType, subjectId: subjectIdOf(body) }
    const subject = (await findSubjects(tx, [named]))(named)
    if (!subject || !maySee(actor, subject)) throw new AppError('limit_subject_not_found')

    const now = context.clock.now()
    const caps = requireSomeCap(mergeCaps(noCaps, body))
    const limit = { id: context.ids.next(), ...named, setBy, ...caps, createdAt: now, updatedAt: now }
    if (!(await insertLimitUnscoped(tx, limit))) throw new AppError('limit_exists')
    await recordAction(context, tx, { action: 'usage.set_limit', actor, limit, from })
    return { limit, subject }
  })

export const updateLimit = (
  context: Deps,
  actor: Actor,
  { id, body, from }: { id: string; body: LimitPatch; from: Origin },
): Promise<SavedLimit> =>
  changeLimits(context, actor, async (tx) => {
    const { limit: before, subject } = await getChangeable(tx, actor, id)
    const caps = requireSomeCap(mergeCaps(before, body))
    const limit = { ...before, ...caps, updatedAt: context.clock.now() }
    await updateLimitUnscoped(tx, id, { ...caps, updatedAt: limit.updatedAt })
    await recordAction(context, tx, { action: 'usage.change_limit', actor, limit, from })
    return { limit, subject }
  })

export const deleteLimit = (context: Deps, actor: Actor, { id, from }: { id: string; from: Origin }): Promise<void> =>
  changeLimits(context, actor, async (tx) => {
    const { limit } = await getChangeable(tx, actor, id)
    await deleteLimitUnscoped(tx, id)
    await recordAction(context, tx, { action: 'usage.lift_limit', actor, limit, from })
  })

const changeLimits = <Result>(
  { limitsCopy, requireWritable }: Deps,
  actor: Actor,
  change: (tx: Db) => Promise<Result>,
): Promise<Result> =>
  limitsCopy.change(async (tx) => {
    requireLimiter(actor)
    await requireWritable(tx, actor)
    return change(tx)
  })

const getChangeable = async (tx: Db, actor: Actor, id: string): Promise<SavedLimit> => {
  const limit = await lockLimitUnscoped(tx, id)
  const subject = limit && (await findSubjects(tx, [limit]))(limit)
  if (!limit || !maySee(actor, subject)) throw new AppError('limit_not_found')
  if (!mayChange(actor, limit)) throw new AppError('forbidden')
  return { limit, subject }
}

const noCaps: Caps = { requestsPerMinute: null, tokensPerDay: null, tokensPerMonth: null }

const mergeCaps = (before: Caps, body: LimitPatch): Caps => {
  const { requests_per_minute: rate, tokens_per_day: perDay, tokens_per_month: perMonth } = body
  return {
    requestsPerMinute: rate === undefined ? before.requestsPerMinute : rate,
    tokensPerDay: perDay === undefined ? before.tokensPerDay : perDay,
    tokensPerMonth: perMonth === undefined ? before.tokensPerMonth : perMonth,
  }
}

const invalid = (field: string, msg: string): AppError =>
  new AppError('validation_failed', { problems: [{ loc: ['body', field], msg, type: 'custom' }] })

const requireSomeCap = (caps: Caps): Caps => {
  if (Object.values(caps).every((cap) => cap === null)) throw invalid('requests_per_minute', 'set at least one number')
  return caps
}

const subjectIdOf = ({ subject_type, subject_id }: LimitBody): string => {
  const isNamed = subject_id !== undefined && subject_id !== null
  if (isNamed === (subject_type === 'everyone'))
    throw invalid('subject_id', 'leave out for everyone, required for every other subject')
  return subject_id?.toLowerCase() ?? nilId
}

const recordAction = (
  { audit }: Pick<Deps, 'audit'>,
  tx: Db,
  { action, actor, limit, from }: { action: string; actor: Actor; limit: LimitRow; from: Origin },
): Promise<void> => {
  const { id, subjectType, subjectId, requestsPerMinute, tokensPerDay, tokensPerMonth } = limit
  const detail = { subjectType, subjectId, requestsPerMinute, tokensPerDay, tokensPerMonth }
  return audit.record(tx, { action, by: actor, from, target: { kind: 'usage_limit', id }, detail })
}
