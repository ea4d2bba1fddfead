/** People who publish events and wait for what their workflows do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Run, terminalRunStatuses } from '@chancery/contract/workflows/runs.ts'
import { chain, edge, makePublished, node, workflowsPath } from '../../server/test/harness/workflows.ts'
import { type Account, expectOk } from '../accounts.ts'
import type { Victim } from './measure.ts'
import { correlationOf } from './roads/loop-guard.ts'

const pollMs = 25

const subscribe = async (who: Account, graph: ReturnType<typeof chain>, eventType: string): Promise<string> => {
  const { id } = await makePublished(who, graph)
  const trigger = { name: eventType, event_type: eventType }
  await expectOk('a trigger', who.post(`${workflowsPath}/${id}/triggers/event`, trigger))
  return id
}

/** Publishes, and waits for the end of the runs of this workflow under the query. */
const publishAndWait = async (who: Account, event: object, query: (eventId: string) => string): Promise<void> => {
  const body = { payload: { n: 1 }, ...event }
  const { event_id: id } = await expectOk(
    'the event',
    who.post('/api/v1/events/ingest', body, { 'x-api-key': who.key }),
  )
  for (;;) {
    const { data } = await expectOk('the runs', who.get(`/api/v1/agent-runs?${query(id)}`))
    const run = (data as Run[])[0]
    if (run && terminalRunStatuses.includes(run.status)) {
      if (run.status !== 'succeeded') throw new Error(`the run ${run.status}: ${run.error}`)
      return
    }
    await sleep(pollMs)
  }
}

const victimOf = async (
  who: Account,
  { name, everyMs }: Pick<Victim, 'name' | 'everyMs'>,
  graph: ReturnType<typeof chain>,
): Promise<Victim> => {
  await subscribe(who, graph, 'order_created')
  const probe = () => publishAndWait(who, { event_type: 'order_created' }, (id) => `event_id=${id}`)
  return { name, everyMs, probe }
}

/** Its run publishes an event that another run follows, under a correlation id that can be guessed. */
export const chainVictim = async (who: Account): Promise<Victim> => {
  const emit = node('emit', { event_type: 'order_checked', payload: { of: '{{ _event.id }}' } }, 'emit_event')
  await subscribe(who, { nodes: [emit], edges: [] }, 'order_created')
  await subscribe(who, chain('a'), 'order_checked')
  let number = 0
  const probe = async (): Promise<void> => {
    number += 1
    const event = { event_type: 'order_created', correlation_id: correlationOf(number), payload: {} }
    const { event_id: id } = await expectOk(
      'the event',
      who.post('/api/v1/events/ingest', event, { 'x-api-key': who.key }),
    )
    for (;;) {
      const { data } = await expectOk('the events', who.get('/api/v1/events?event_type=order_checked&limit=20'))
      const next = (data as { event_id: string; payload: { of: string } }[]).find(({ payload }) => payload.of === id)
      if (next) {
        const { data: decided, pending } = await expectOk(
          'the decisions',
          who.get(`/api/v1/events/${next.event_id}/deliveries`),
        )
        const decision = (decided as { decision: string }[])[0]?.decision
        if (decision === 'fired') return
        if (!pending) throw new Error(`the next event was not followed: ${decision}`)
      }
      await sleep(pollMs)
    }
  }
  return { name: 'chain', everyMs: 500, probe }
}

const steps = chain('a', 'b')
const withCode = {
  nodes: [node('a'), node('work', { code: 'return { twice: 2 * 21 }' }, 'code')],
  edges: [edge('a', 'work')],
}

export const runVictim = (who: Account): Promise<Victim> => victimOf(who, { name: 'run', everyMs: 250 }, steps)
/** Each run starts a process, which is work for the machine as well. */
export const codeVictim = (who: Account): Promise<Victim> => victimOf(who, { name: 'code', everyMs: 1500 }, withCode)
