/** Waits for a time, or for an event of the run's correlation. */
import type { Db } from '#kernel/db/database.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { EventBus } from '#modules/event-bus/index.ts'
import { parseTemplate, renderTemplate } from '../../graph/template.ts'
import { NodeFailure } from '../backoff.ts'
import { eventState } from '../event-state.ts'
import { eventTest } from '../event-test.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../node-face.ts'
import { findWaitUnscoped } from '../queries/waits.ts'

type Call = NodeCall<ConfigOf<'wait'>>

interface Needs {
  db: Db
  bus: Pick<EventBus, 'listSinceUnscoped'>
}

export const wait =
  (needs: Needs): Executor<ConfigOf<'wait'>> =>
  (call) =>
    call.config.event_type === undefined ? waitForTime(call) : waitForEvent(needs, call)

const waitForTime = ({ config, state, waiting, now }: Call): NodeResult => {
  const wakeAt =
    waiting?.wakeAt ?? (config.until === undefined ? after(now, config.seconds) : readTime(config.until, state))
  return wakeAt <= now ? { kind: 'done', output: { waited_until: wakeAt.getTime() } } : { kind: 'waiting', wakeAt }
}

const after = (now: Date, seconds = 0): Date => new Date(now.getTime() + seconds * 1000)

/** A time of ISO 8601, or milliseconds. */
const readTime = (template: string, state: Record<string, unknown>): Date => {
  const text = renderTemplate(parseTemplate(template), state).trim()
  const time = new Date(/^\d{1,16}$/.test(text) ? Number(text) : text)
  if (Number.isNaN(time.getTime()))
    throw new NodeFailure(`"${text.slice(0, 100)}" is no time to wait for.`, { canRetry: false })
  return time
}

const waitForEvent = async (needs: Needs, call: Call): Promise<NodeResult> => {
  const { config, step, waiting, now } = call
  const { event_type: eventType = '', filter_expr: filterExpr = null, deadline_sec } = config
  if (!waiting)
    return {
      ...{ kind: 'waiting', wakeAt: deadline_sec === undefined ? null : after(now, deadline_sec) },
      event: { eventType, filterExpr },
    }
  const arrived = (await findMissed(needs, call)) ?? (await findWaitUnscoped(needs.db, step.id))?.event
  if (arrived) return { kind: 'done', output: arrived }
  if (waiting.wakeAt !== null && waiting.wakeAt <= now) return { kind: 'done', output: null, handle: 'expired' }
  return { kind: 'waiting', wakeAt: waiting.wakeAt }
}

const mostMissed = 500

/**
 * What came while the run was on its way here, or in the moment before its wait was known: the first that no node of it
 * has had. Without a correlation, any event of the scope would do; then only those count that come from now on.
 */
const findMissed = async ({ db, bus }: Needs, { config, run, state }: Call) => {
  const { correlationId, scopeId, eventId, parentRunId, createdAt } = run
  if (correlationId === null) return undefined
  // A run that another one started begins later than the event of both.
  const since = eventId === null || parentRunId !== null ? { time: createdAt } : { eventId }
  const eventType = config.event_type ?? ''
  const events = await bus.listSinceUnscoped(db, { scopeId, correlationId, eventType, since, limit: mostMissed })
  const had = new Set(Object.values(state).map((output) => (isJsonObject(output) ? output.id : undefined)))
  const isIt = eventTest(config.filter_expr ?? null)
  const missed = events.find((event) => !had.has(event.eventId) && isIt(event))
  return missed && eventState(missed)
}
