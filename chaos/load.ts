/** The load: three workflows that listen to the same events, and publishers that don't give up. */
import { setTimeout as sleep } from 'node:timers/promises'
import { bearer, type Client, createClient } from '../server/test/harness/client.ts'
import { edge, makePublished, node, workflowsPath } from '../server/test/harness/workflows.ts'

export const ingestKey = 'the key of the chaos publishers'
const eventType = 'start'

export interface Workflows {
  parallel: string
  single: string
  /** Its first node may run only once: it is not repeated when a node dies in the middle of it. */
  once: string
}

export const signUp = async (address: string): Promise<Client> => {
  const account = { name: 'Chaos', email: 'chaos@example.test', password: 'a perfectly fine passphrase' }
  const { status, body, text } = await createClient(address).post('/api/auth/register', account)
  if (status !== 201) throw new Error(`signing up failed: ${text}`)
  return createClient(address, bearer(body.token))
}

export const createWorkflows = async (person: Client, siteOrigin: string): Promise<Workflows> => {
  const emit = node('emit', { event_type: 'done', payload: { from: '{{ _event.id }}' } }, 'emit_event')
  const call = node('call', { url: `${siteOrigin}/call`, retry: { max_attempts: 10 } }, 'http_request')
  const order = { method: 'POST', url: `${siteOrigin}/once/{{ _event.id }}`, retry: { max_attempts: 1 } }
  const work = {
    nodes: [call, node('pause', { seconds: 1 }, 'wait'), emit],
    edges: [edge('call', 'pause'), edge('pause', 'emit')],
  }
  const once = { nodes: [node('order', order, 'http_request'), emit], edges: [edge('order', 'emit')] }
  const create = async (graph: typeof work, concurrency: 'parallel' | 'one_per_correlation'): Promise<string> => {
    const { id } = await makePublished(person, graph)
    const trigger = { name: concurrency, event_type: eventType, concurrency }
    const { status, text } = await person.post(`${workflowsPath}/${id}/triggers/event`, trigger)
    if (status !== 201) throw new Error(`adding a trigger failed: ${text}`)
    return id
  }
  return {
    parallel: await create(work, 'parallel'),
    single: await create(work, 'one_per_correlation'),
    once: await create(once, 'parallel'),
  }
}

/** Where load goes. */
export interface Target {
  /** The nodes that answer at the moment. */
  addresses(): readonly string[]
  random: () => number
  isOver(): boolean
  /** Told of each request that failed, and is sent again. */
  onFailed?(why: string): void
}

interface Publishing extends Target {
  onAccepted?(id: string): void
}

export interface Published {
  accepted: string[]
  /** Keys that were accepted as two different events. */
  doubled: string[]
}

const patienceMs = 4000
const processes = 7

const send = async (
  address: string,
  number: number,
  { onFailed }: Pick<Target, 'onFailed'>,
): Promise<string | undefined> => {
  try {
    const reply = await fetch(`${address}/api/v1/events/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': ingestKey, 'idempotency-key': `event-${number}` },
      body: JSON.stringify({
        event_type: eventType,
        correlation_id: `process-${number % processes}`,
        source: 'chaos',
        payload: { number },
      }),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (reply.status === 202) return ((await reply.json()) as { event_id: string }).event_id
    onFailed?.(`ingest: ${reply.status}`)
  } catch (problem) {
    // Frozen, killed or cut off at the moment.
    onFailed?.(`ingest: ${problem}`)
  }
  return undefined
}

/** Publishes one event after the other, each until some node accepts it, and every fifth a second time. */
export const publish = async (publishers: number, { onAccepted, ...target }: Publishing): Promise<Published> => {
  const { addresses, random, isOver } = target
  const published: Published = { accepted: [], doubled: [] }
  let next = 0
  const sendSomewhere = async (number: number): Promise<string> => {
    for (;;) {
      const there = addresses()
      const address = there[Math.floor(random() * there.length)]
      const id = address === undefined ? undefined : await send(address, number, target)
      if (id !== undefined) return id
      await sleep(100)
    }
  }
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const number = next
      next += 1
      const id = await sendSomewhere(number)
      published.accepted.push(id)
      onAccepted?.(id)
      if (number % 5 === 0 && (await sendSomewhere(number)) !== id) published.doubled.push(`event-${number}`)
      await sleep(random() * 300)
    }
  }
  await Promise.all(Array.from({ length: publishers }, work))
  return published
}
