/** Waits for a time, or for an event of the run's correlation. */
import type { Db } from '#kernel/db/database.ts'
import type { Expressions } from '#kernel/expressions/expressions.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { EventBus } from '#modules/event-bus/index.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { FilterValues } from '../queries/tables.ts'
import { findWaitUnscoped } from '../queries/waits.ts'
import { eventState } from '../shared/event-state.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../shared/node-interface.ts'
import { keepForFilter } from '../waits/filter-values.ts'
import { findFirstMatches } from '../waits/match-waits.ts'

type Call = NodeCall<ConfigOf<'wait'>>

interface Needs {
  db: Db
  expressions: Pick<Expressions, 'test'>
  bus: Pick<EventBus, 'listSinceUnscoped'>
}

export const wait =
  (needs: Needs): Executor<ConfigOf<'wait'>> =>
  (call) =>
    call.config.event_type === undefined ? waitForTime(call) : waitForEvent(needs, call)

const waitForTime = ({ config, render, waiting, now }: Call): NodeResult => {
  const wakeAt =
    waiting?.wakeAt ?? (config.until === undefined ? after(now, config.seconds) : readTime(render(config.until).trim()))
  return wakeAt <= now ? { kind: 'done', output: { waited_until: wakeAt.getTime() } } : { kind: 'waiting', wakeAt }
}

const after = (now: Date, seconds = 0): Date => new Date(now.getTime() + seconds * 1000)

/** A time in ISO 8601, or Unix milliseconds. */
const readTime = (text: string): Date => {
  const time = new Date(/^\d{1,16}$/.test(text) ? Number(text) : text)
  if (Number.isNaN(time.getTime()))
    throw new NodeFailure(`"${text.slice(0, 100)}" is not a valid time to wait for.`, { canRetry: false })
  return time
}

const waitForEvent = async (needs: Needs, call: Call): Promise<NodeResult> => {
  const { config, step, waiting, now } = call
  const { event_type: eventType = '', filter_expr: filterExpr = null, deadline_sec } = config
  if (!waiting)
    return {
      kind: 'waiting',
      wakeAt: deadline_sec === undefined ? null : after(now, deadline_sec),
      event: { eventType, filterExpr, filterValues: keepForFilter(filterExpr, call) },
    }
  const kept = await findWaitUnscoped(needs.db, step.id)
  const arrived = (await findMissed(needs, call, kept?.filterValues ?? null)) ?? kept?.event
  if (arrived) return { kind: 'done', output: arrived }
  if (waiting.wakeAt !== null && waiting.wakeAt <= now) return { kind: 'done', output: null, handle: 'expired' }
  return { kind: 'waiting', wakeAt: waiting.wakeAt }
}

const maxMissed = 500

/**
 * The first event that arrived since the run started, before this wait was registered, and that no node of the run has
 * received. A run without a correlation id would match any event of its scope, so it only gets events from now on.
 */
const findMissed = async (
  { db, expressions, bus }: Needs,
  { config, run, state }: Call,
  filterValues: FilterValues | null,
) => {
  const { correlationId, scopeId, eventId, parentRunId, createdAt } = run
  if (correlationId === null) return undefined
  // A child run starts later than the event it shares with its parent.
  const since = eventId === null || parentRunId !== null ? { time: createdAt } : { eventId }
  const eventType = config.event_type ?? ''
  const events = await bus.listSinceUnscoped(db, { scopeId, correlationId, eventType, since, limit: maxMissed })
  const received = new Set(Object.values(state).map((output) => (isJsonObject(output) ? output.id : undefined)))
  const open = events.filter((event) => !received.has(event.eventId))
  const filterExpr = config.filter_expr ?? null
  const [missed] = await findFirstMatches(expressions.test, [{ scopeId, filterExpr, filterValues, events: open }])
  return missed?.event && eventState(missed.event)
}
