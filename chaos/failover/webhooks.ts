/** Signed deliveries to a webhook trigger, each repeated with its id until it is taken, as their sender does. */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../server/test/harness/client.ts'
import { makePublished, workflowsPath } from '../../server/test/harness/workflows.ts'

interface Hook {
  workflowId: string
  /** The path and the key of its signatures. */
  path: string
  secret: string
}

export const createHook = async (person: Client): Promise<Hook> => {
  const { id } = await makePublished(person)
  const { status, body, text } = await person.post(`${workflowsPath}/${id}/triggers/webhook`, { name: 'Hook' })
  if (status !== 201) throw new Error(`adding a webhook failed: ${text}`)
  return { workflowId: id, path: new URL(body.url).pathname, secret: body.secret }
}

const patienceMs = 4000

const send = async (address: string, hook: Hook, id: string): Promise<boolean> => {
  const body = JSON.stringify({ id })
  const seconds = Math.floor(Date.now() / 1000)
  const mac = createHmac('sha256', Buffer.from(hook.secret.slice('whsec_'.length), 'base64'))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac.update(`${id}.${seconds}.${body}`).digest('base64')}`,
  }
  try {
    const signal = AbortSignal.timeout(patienceMs)
    const reply = await fetch(`${address}${hook.path}`, { method: 'POST', headers, body, signal })
    return reply.ok
  } catch {
    // The node has no answer at the moment.
    return false
  }
}

interface Delivering {
  address(): string
  isOver(): boolean
}

/** Resolves with the ids of all that were taken. */
export const deliver = async (hook: Hook, { address, isOver }: Delivering): Promise<string[]> => {
  const taken: string[] = []
  while (!isOver()) {
    const id = randomUUID()
    while (!(await send(address(), hook, id))) await sleep(100)
    taken.push(id)
    await sleep(100)
  }
  return taken
}
