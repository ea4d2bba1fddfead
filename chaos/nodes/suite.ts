/**
 * `npm run chaos -- nodes [--seed N] [--minutes M] [--without-redis]`: three nodes on one database under a steady load are
 * killed, frozen, cut off from the database and restarted. Then everything that was accepted must be there exactly once.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startRedis } from '../../server/test/peers/redis.ts'
import { type Cluster, startCluster } from '../cluster.ts'
import { createRandom } from '../plan.ts'
import { waitForRest } from '../rest.ts'
import { report, say } from '../say.ts'
import { watchReady } from '../traffic/balancer.ts'
import { findPauses } from '../traffic/pauses.ts'
import { prepareTraffic } from '../traffic/traffic.ts'
import { makeNodesPlan, type NodesPlan, type Step } from './plan.ts'

interface Options {
  seed: number
  durationMs: number
  hasRedis: boolean
}

const nodeCount = 3
/** Longer than a lease and than the delays of attempts that can come up here. */
const restMs = 120_000
/** Of somebody's work, while a node is away. */
const longestPauseMs = 30_000
const redisServer = '/usr/bin/redis-server'

/** What the plan says, until the time is over. Resolves with the nodes that were asked to stop and did not stop cleanly. */
const disturb = async ({ nodes }: Cluster, { frozen, steps }: NodesPlan, durationMs: number): Promise<string[]> => {
  const over = AbortSignal.timeout(durationMs)
  const unclean: string[] = []
  let isFrozen = false
  const freeze = async (): Promise<void> => {
    const { node, atMs, forMs } = frozen
    await sleep(atMs)
    isFrozen = true
    say(`node ${node} is frozen for ${forMs / 1000} s`)
    await nodes[node]?.disturb({ kind: 'freeze', forMs, skewMs: 0 }, over)
    say(`node ${node} goes on`)
    await nodes[node]?.ready()
    isFrozen = false
  }
  const take = async ({ node, kind, forMs }: Step): Promise<void> => {
    const target = nodes[node]
    say(`node ${node}: ${kind}${kind === 'restart' || kind === 'kill' ? '' : ` for ${(forMs / 1000).toFixed(1)} s`}`)
    if (kind === 'restart') {
      const how = await target?.restart()
      if (how !== 0) unclean.push(`node ${node} (${how})`)
    } else await target?.disturb({ kind, forMs, skewMs: 0 }, over)
    await target?.ready()
  }
  const inTurn = async (): Promise<void> => {
    for (const step of steps) {
      await sleep(step.pauseMs)
      if (over.aborted) return
      const isAway = step.node === frozen.node && isFrozen
      await take(isAway ? { ...step, node: (step.node + 1) % nodes.length } : step)
    }
  }
  await Promise.all([freeze(), inTurn(), sleep(durationMs)])
  return unclean
}

const runSuite = async ({ seed, durationMs, hasRedis }: Options): Promise<boolean> => {
  say(`seed ${seed}: ${nodeCount} nodes, ${hasRedis ? 'with' : 'without'} Redis`)
  const random = createRandom(seed + 1)
  const prepared = await prepareTraffic(random)
  const redis = hasRedis ? await startRedis() : undefined
  const env = { ...prepared.env, ...(redis && { REDIS_URL: redis.url }) }
  const skewsMs = Array.from({ length: nodeCount }, () => 0)
  const cluster = await startCluster({ label: `nodes-${seed}`, skewsMs, env })
  const balancer = watchReady(cluster.nodes)
  try {
    await Promise.all(cluster.nodes.map((node) => node.ready()))
    while (balancer.addresses().length < nodeCount) await sleep(50)
    const { pulses, failures, end, check } = await prepared.start({
      db: cluster.db,
      addresses: balancer.addresses,
      random,
    })
    say('the load begins')
    const sinceMs = performance.now()
    const unclean = await disturb(cluster, makeNodesPlan(seed, nodeCount), durationMs)
    const { lines, late } = findPauses(pulses, sinceMs, longestPauseMs)
    const sums = await end()
    const isResting = await waitForRest(cluster.db, restMs)
    for (const line of [...sums, `${failures.length} requests failed and were sent again`, ...lines]) say(line)
    const found = await check()
    found.set('P3: work that does not come to rest', isResting ? [] : [restMs])
    found.set('a restart that was not clean', unclean)
    return report(found.set(`a pause of more than ${longestPauseMs / 1000} s`, late))
  } finally {
    await balancer.close()
    await cluster.stop()
    await redis?.stop()
    await prepared.stop()
    say(`what the nodes logged: ${cluster.logs}`)
  }
}

export const usage = 'nodes [--seed <number>] [--minutes <up to 60>] [--without-redis]'

const readOptions = (args: string[]): Options | undefined => {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      minutes: { type: 'string', default: '2' },
      'without-redis': { type: 'boolean', default: false },
    },
  })
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)]
  if (!(Number.isInteger(seed) && minutes > 0 && minutes <= 60)) return undefined
  return { seed, durationMs: minutes * 60_000, hasRedis: !values['without-redis'] && existsSync(redisServer) }
}

/** Whether every promise was kept; undefined when the arguments make no sense. */
export const run = async (args: string[]): Promise<boolean | undefined> => {
  const options = readOptions(args)
  return options && runSuite(options)
}
