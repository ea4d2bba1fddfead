/**
 * A steady load of everything that is cheap enough: events and the runs they start, webhooks, replies of a model, documents
 * that are signed. Each is somebody else's, and repeated until it is accepted. Afterwards each must be there exactly once.
 */

import type { Db } from '../../server/src/kernel/db/database.ts'
import { bearer, type Client } from '../../server/test/harness/client.ts'
import { startSite } from '../../server/test/peers/site.ts'
import { type Account, createAccounts } from '../accounts.ts'
import { checkInvariants } from '../invariants.ts'
import { createWorkflows, ingestKey, publish, signUp, type Target } from '../load.ts'
import { createPulse, type Pulse } from '../pulse.ts'
import { type Surroundings, startSurroundings } from '../surroundings.ts'
import { checkDocuments, sign } from './documents.ts'
import { createPersistent } from './persistent.ts'
import { converse, type Replied } from './replies.ts'
import { checkHook, createHook, deliver } from './webhooks.ts'

const publishers = 3
const conversations = 3
/** Of the site that workflows call. */
const maxAnswerMs = 200

export interface Traffic {
  /** By what happens all the time. */
  pulses: Readonly<Record<string, Pulse>>
  /** Why requests failed that were sent again, in the order in which they did. */
  failures: readonly string[]
  onFailed(why: string): void
  /** Somebody who isn't part of the load. */
  newAccount(): Promise<Account>
  /** A person whose requests are repeated until they are answered. */
  persistent(headers: Record<string, string>): Client
  /** Sends nothing more. Resolves once everything that was sent is answered, with a line for each kind. */
  end(): Promise<string[]>
  /** By promise, what breaks it. Once all is at rest. */
  check(): Promise<Map<string, unknown[]>>
}

interface Start extends Pick<Target, 'addresses' | 'random'> {
  db: Db
}

export interface Prepared extends Pick<Surroundings, 'env' | 'stop'> {
  start(options: Start): Promise<Traffic>
}

const namesOfPulses = ['events', 'calls of runs', 'webhooks', 'calls of their runs', 'replies'] as const

/** What the servers need to be started with, and the load for when they are ready. */
export const prepareTraffic = async (random: () => number): Promise<Prepared> => {
  const around = await startSurroundings()
  const pulses = Object.fromEntries(namesOfPulses.map((name) => [name, createPulse()])) as Record<
    (typeof namesOfPulses)[number],
    Pulse
  >
  const site = await startSite(({ path }, response) => {
    pulses[path === '/hook' ? 'calls of their runs' : 'calls of runs'].beat()
    setTimeout(() => response.end('ok'), random() * maxAnswerMs)
  })
  const start = async ({ db, addresses }: Start): Promise<Traffic> => {
    const failures: string[] = []
    const onFailed = (why: string): void => void failures.push(why)
    let isOver = false
    const target = { addresses, random, isOver: () => isOver, onFailed }
    const persistent = (headers: Record<string, string>) => createPersistent(target, headers)
    const newAccount = createAccounts({ addresses: addresses(), db, network: '10.80.0' })
    const somebody = async () => persistent(bearer((await newAccount()).token))

    const workflows = await createWorkflows(await signUp(addresses()[0] ?? ''), site.origin)
    const hook = await createHook(await newAccount(), `${site.origin}/hook`)
    const [writer, owner] = [await somebody(), await somebody()]
    let signers = 0
    const newSigner = (): Client => {
      signers += 1
      return persistent({ 'x-forwarded-for': `10.81.${signers >> 8}.${signers & 255}` })
    }
    const publishing = publish(publishers, { ...target, onAccepted: pulses.events.beat })
    const delivering = deliver(hook, { ...target, onAccepted: pulses.webhooks.beat })
    const conversing = Promise.all(
      Array.from({ length: conversations }, () => converse(writer, { ...target, onEnded: pulses.replies.beat })),
    )
    const signing = sign(owner, { ...target, newSigner, linkTo: around.linkTo })
    const all = Promise.all([publishing, delivering, conversing, signing])
    // It is waited for at the end.
    all.catch(() => undefined)
    return {
      pulses,
      failures,
      onFailed,
      newAccount: () => newAccount(),
      persistent,
      end: async () => {
        isOver = true
        const [published, delivered, replied, signed] = await all
        const { accepted, interrupted } = sumOf(replied)
        return [
          `${published.accepted.length} events, ${delivered.length} webhooks and ${signed.length} documents accepted`,
          `${accepted} replies accepted, of which ${interrupted} ended with their node`,
        ]
      },
      check: async () => {
        const [published, delivered, replied, signed] = await all
        const onceCalls = site.requests.flatMap(({ path }) => (path.startsWith('/once/') ? path : []))
        const found = await checkInvariants(db, { ...published, workflows, onceCalls })
        for (const more of [await checkHook(db, delivered), await checkDocuments(db, signed)])
          for (const [breach, what] of more) found.set(breach, what)
        return found.set('a reply that is neither whole nor ended with its node', sumOf(replied).broken)
      },
    }
  }
  return {
    env: { ...around.env, SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` },
    start,
    stop: async () => {
      await Promise.all([around.stop(), site.close()])
    },
  }
}

const sumOf = (all: readonly Replied[]): Replied => ({
  accepted: all.reduce((sum, { accepted }) => sum + accepted, 0),
  interrupted: all.reduce((sum, { interrupted }) => sum + interrupted, 0),
  broken: all.flatMap(({ broken }) => broken),
})
