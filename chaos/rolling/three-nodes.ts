/** Three nodes behind a load balancer that are restarted one by one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../cluster.ts'
import { createRandom } from '../plan.ts'
import { waitForRest } from '../rest.ts'
import { report, say } from '../say.ts'
import { watchReady } from '../traffic/balancer.ts'
import { prepareTraffic } from '../traffic/traffic.ts'
import { underLoad } from './steps.ts'

const nodeCount = 3
const restMs = 120_000
/** Of each node that stops, for the load balancer to see it. */
const drainDelaySec = 2

export const runThreeNodes = async (seed: number): Promise<boolean> => {
  say(`${nodeCount} nodes, restarted one by one`)
  const random = createRandom(seed + 1)
  const prepared = await prepareTraffic(random)
  const env = { ...prepared.env, SVC_DRAIN_DELAY: String(drainDelaySec) }
  const skewsMs = Array.from({ length: nodeCount }, () => 0)
  const cluster = await startCluster({ label: `restarts-${seed}`, skewsMs, env })
  const balancer = watchReady(cluster.nodes)
  const all = async (): Promise<void> => {
    while (balancer.addresses().length < nodeCount) await sleep(50)
  }
  try {
    await all()
    const traffic = await prepared.start({ db: cluster.db, addresses: balancer.addresses, random })
    say('the load begins')
    const unclean: string[] = []
    const steps = cluster.nodes.map((node, index) => ({
      what: `node ${index} restarts`,
      take: async () => {
        const how = await node.restart()
        if (how !== 0) unclean.push(`node ${index} (${how})`)
        await node.ready()
        await all()
      },
    }))
    const found = await underLoad(traffic, { steps, rest: () => waitForRest(cluster.db, restMs) })
    return report(found.set('a restart that was not clean', unclean))
  } finally {
    await balancer.close()
    await cluster.stop()
    await prepared.stop()
    say(`what the nodes logged: ${cluster.logs}`)
  }
}
