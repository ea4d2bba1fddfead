/** Signed deliveries to a webhook trigger, each repeated with its id until it is taken, as their sender does. */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../server/src/kernel/db/database.ts'
import type { Client } from '../../server/test/harness/client.ts'
import { edge, makePublished, node, workflowsPath } from '../../server/test/harness/workflows.ts'
import type { Target } from '../load.ts'

interface Hook {
  /** The path and the key of its signatures. */
  path: string
  secret: string
}

const eventType = 'hooked'

/** The run of each delivery publishes one event, with the delivery's id. `callTo` is called before. */
export const createHook = async (person: Client, callTo?: string): Promise<Hook> => {
  const emit = node('emit', { event_type: eventType, payload: { id: '{{ _event.payload.id }}' } }, 'emit_event')
  const first =
    callTo === undefined ? node('first') : node('first', { url: callTo, retry: { max_attempts: 10 } }, 'http_request')
  const { id } = await makePublished(person, { nodes: [first, emit], edges: [edge('first', 'emit')] })
  const { status, body, text } = await person.post(`${workflowsPath}/${id}/triggers/webhook`, { name: 'Hook' })
  if (status !== 201) throw new Error(`adding a webhook failed: ${text}`)
  return { path: new URL(body.url).pathname, secret: body.secret }
}

const patienceMs = 4000

const send = async (url: string, { secret }: Hook, id: string): Promise<string | undefined> => {
  const body = JSON.stringify({ id })
  const seconds = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac.update(`${id}.${seconds}.${body}`).digest('base64')}`,
  }
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patienceMs) })
    return reply.ok ? undefined : String(reply.status)
  } catch (problem) {
    // The node has no answer at the moment.
    return String(problem)
  }
}

interface Delivering extends Target {
  onAccepted?(): void
}

/** Resolves with the ids of all that were taken. */
export const deliver = async (
  hook: Hook,
  { addresses, random, isOver, onFailed, onAccepted }: Delivering,
): Promise<string[]> => {
  const taken: string[] = []
  const sendSomewhere = async (id: string): Promise<void> => {
    for (;;) {
      const there = addresses()
      const address = there[Math.floor(random() * there.length)]
      const problem = address === undefined ? 'no node' : await send(`${address}${hook.path}`, hook, id)
      if (problem === undefined) return
      if (address !== undefined) onFailed?.(`webhook: ${problem}`)
      await sleep(100)
    }
  }
  while (!isOver()) {
    const id = randomUUID()
    await sendSomewhere(id)
    taken.push(id)
    onAccepted?.()
    await sleep(100)
  }
  return taken
}

/** By the events that the runs published. Every taken delivery has one. */
export const checkHook = async (db: Db, taken: readonly string[]): Promise<Map<string, unknown[]>> => {
  const rows = await db.selectFrom('events').select('payload').where('eventType', '=', eventType).execute()
  const ids = rows.map(({ payload }) => (payload as { id: string }).id)
  const known = new Set(ids)
  return new Map<string, unknown[]>([
    ['P1: a webhook without its run', taken.filter((id) => !known.has(id))],
    ['P1: a webhook with two runs', ids.filter((id, at) => ids.indexOf(id) < at)],
  ])
}
