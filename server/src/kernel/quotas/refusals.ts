/** Counts refusals, and who was refused of late, for `/metrics` and the console. */
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { Metrics } from '../metrics/index.ts'
import { describeLimit, type Quota } from './quota.ts'

interface Told {
  most: number
  retryAfterSec?: number
  /** It is the limit of an account whose address isn't proven. */
  isUnproven?: boolean
}

export interface Refusals {
  /** The error to throw. `key` is who was refused. */
  of(quota: Quota, key: string, told: Told): AppError
  note(quota: Pick<Quota, 'name'>, key: string): void
  /** Who was refused of late on this node, and how often without a pause of five minutes. */
  recent(): Refused[]
}

export interface Refused {
  quota: string
  /** An organization or an account. */
  id: string
  times: number
}

/** Somebody who was refused within this time is at their limit. */
const recentMs = 300_000
const keysKept = 10_000
/** Whom a key is about. */
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

export const createRefusals = ({ metrics, clock }: { metrics: Metrics; clock: Clock }): Refusals => {
  const recent = new Map<string, { quota: string; times: number; untilMs: number }>()
  const counter = metrics.counter({
    name: 'chancery_quota_refusals_total',
    help: 'Requests that a quota refused, or mails that it made wait.',
    labels: ['quota'],
  })
  const forgetOld = (): void => {
    const nowMs = clock.now().getTime()
    for (const [key, { untilMs }] of recent) if (untilMs <= nowMs) recent.delete(key)
  }
  metrics.gauge({
    name: 'chancery_quota_scopes_at_limit',
    help: 'Tenants that this quota refused in the last five minutes, on this node.',
    labels: ['quota'],
    read: () => {
      forgetOld()
      const byQuota = Map.groupBy(recent.values(), ({ quota }) => quota)
      return [...byQuota].map(([quota, refused]) => [[quota], refused.length])
    },
  })
  const note: Refusals['note'] = ({ name }, key) => {
    counter.of(name).add()
    const [oldest] = recent.size >= keysKept ? recent.keys() : []
    if (oldest !== undefined) recent.delete(oldest)
    const nowMs = clock.now().getTime()
    const before = recent.get(key)
    const times = before && before.untilMs > nowMs ? before.times + 1 : 1
    recent.delete(key)
    recent.set(key, { quota: name, times, untilMs: nowMs + recentMs })
  }
  return {
    note,
    recent: () => {
      forgetOld()
      return [...recent].flatMap(([key, { quota, times }]) => {
        const [id] = uuid.exec(key) ?? []
        return id === undefined ? [] : { quota, id, times }
      })
    },
    of: (quota, key, { most, retryAfterSec, isUnproven }) => {
      note(quota, key)
      const detail = describeLimit(quota, most) + (isUnproven ? ' Confirm your email address to get more.' : '')
      if (quota.kind === 'amount' && !quota.isPassing) return new AppError('quota_reached', { detail })
      const code = (quota.kind === 'rate' && quota.refusal) || 'quota_exceeded'
      return new AppError(code, { detail, retryAfterSec: retryAfterSec ?? 5 })
    },
  }
}
