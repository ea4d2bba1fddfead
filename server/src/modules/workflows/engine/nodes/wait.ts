/** Waits for a time, or for an event of the run's correlation. */
import type { Db } from '#kernel/db/database.ts'
import { parseTemplate, renderTemplate } from '../../graph/template.ts'
import { NodeFailure } from '../backoff.ts'
import type { ConfigOf, Executor, NodeCall, NodeResult } from '../node-face.ts'
import { findWaitUnscoped } from '../queries/waits.ts'

type Call = NodeCall<ConfigOf<'wait'>>

export const wait =
  ({ db }: { db: Db }): Executor<ConfigOf<'wait'>> =>
  (call) =>
    call.config.event_type === undefined ? waitForTime(call) : waitForEvent(db, call)

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

const waitForEvent = async (db: Db, { config, step, waiting, now }: Call): Promise<NodeResult> => {
  const { event_type: eventType = '', filter_expr: filterExpr = null, deadline_sec } = config
  if (!waiting)
    return {
      ...{ kind: 'waiting', wakeAt: deadline_sec === undefined ? null : after(now, deadline_sec) },
      event: { eventType, filterExpr },
    }
  const arrived = (await findWaitUnscoped(db, step.id))?.event
  if (arrived) return { kind: 'done', output: arrived }
  if (waiting.wakeAt !== null && waiting.wakeAt <= now) return { kind: 'done', output: null, handle: 'expired' }
  return { kind: 'waiting', wakeAt: waiting.wakeAt }
}
