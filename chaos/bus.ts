/**
 * `npm run chaos -- bus --seed N [--minutes M] [--nodes K]`: real servers on one database are frozen, killed and cut off,
 * with wrong clocks, while events come in and runs are under way. Then P1 to P3 are read from the tables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSite } from '../server/test/peers/site.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { checkInvariants } from './invariants.ts'
import { createWorkflows, ingestKey, publish, signUp } from './load.ts'
import { createRandom, makePlan, type Plan } from './plan.ts'
import { waitForRest } from './rest.ts'
import { report, say } from './say.ts'

interface Options {
  seed: number
  nodes: number
  durationMs: number
}

const publishers = 4
/** Longer than a lease and than the delays of failed dispatches and attempts that can come up here. */
const restMs = 180_000
/** Of the site that workflows call. */
const maxAnswerMs = 200

const readOptions = (args: string[]): Options | undefined => {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      minutes: { type: 'string', default: '1' },
      nodes: { type: 'string', default: '3' },
    },
  })
  const [seed, nodes, minutes] = [Number(values.seed), Number(values.nodes), Number(values.minutes)]
  const isInRange = Number.isInteger(seed) && [1, 2, 3, 4, 5].includes(nodes) && minutes > 0 && minutes <= 60
  return isInRange ? { seed, nodes, durationMs: minutes * 60_000 } : undefined
}

/** Carries the plan out. Every node is left undisturbed at the end. */
const disturb = async ({ nodes }: Cluster, { disturbances }: Plan, durationMs: number): Promise<void> => {
  const over = AbortSignal.timeout(durationMs)
  const each = disturbances.map(async (disturbance) => {
    await sleep(disturbance.atMs)
    const { node, kind, forMs, skewMs } = disturbance
    const skew = kind === 'kill' ? `, then a clock wrong by ${Math.round(skewMs / 1000)} s` : ''
    say(`node ${node}  ${kind} for ${(forMs / 1000).toFixed(1)} s${skew}`)
    await nodes[node]?.disturb(disturbance, over)
  })
  await Promise.all([sleep(durationMs), ...each])
}

const runPlan = async (options: Options): Promise<boolean> => {
  const plan = makePlan(options)
  const random = createRandom(options.seed + 1)
  say(`seed ${options.seed}: ${options.nodes} nodes, ${plan.disturbances.length} disturbances`)
  say(`clocks wrong by ${plan.skewsMs.map((ms) => `${Math.round(ms / 1000)} s`).join(', ')}`)
  const site = await startSite(
    (_request, response) => void setTimeout(() => response.end('ok'), random() * maxAnswerMs),
  )
  const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  const cluster = await startCluster({ label: String(options.seed), skewsMs: plan.skewsMs, env })
  const { db, nodes, logs } = cluster
  try {
    const [address = ''] = await Promise.all(nodes.map((node) => node.ready()))
    const workflows = await createWorkflows(await signUp(address), site.origin)
    let isOver = false
    const addresses = () => nodes.flatMap((node) => node.address() ?? [])
    const publishing = publish(publishers, { addresses, random, isOver: () => isOver })
    await disturb(cluster, plan, options.durationMs)
    isOver = true
    const published = await publishing
    const isResting = await waitForRest(db, restMs)
    const onceCalls = site.requests.flatMap(({ path }) => (path.startsWith('/once/') ? path : []))
    const invariants = await checkInvariants(db, { ...published, workflows, onceCalls })
    say(`${published.accepted.length} events accepted`)
    return report(invariants.set('P3: work that does not come to rest', isResting ? [] : [restMs]))
  } finally {
    await cluster.stop()
    await site.close()
    say(`\nWhat the nodes logged: ${logs}`)
  }
}

export const usage = 'bus [--seed <number>] [--minutes <up to 60>] [--nodes <1 to 5>]'

/** Whether every promise was kept; undefined when the arguments make no sense. */
export const run = async (args: string[]): Promise<boolean | undefined> => {
  const options = readOptions(args)
  return options && runPlan(options)
}
