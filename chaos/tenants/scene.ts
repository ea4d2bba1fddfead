/** What the suite needs once: two nodes on one database, models, a store for files, the platform admin. */
import { readFileSync } from 'node:fs'
import { startPeer } from '../../bench/lib/child.ts'
import { bearer } from '../../server/test/harness/client.ts'
import { expectOk, somebodyAt } from '../accounts.ts'
import { type Cluster, startCluster } from '../cluster.ts'
import type { ChaosNode } from '../node.ts'
import { peerProgram, startSurroundings } from '../surroundings.ts'
import { parseMetrics, parseSchedstat, type Reading } from './loops.ts'

const metricsToken = 'the-token-of-whoever-scrapes-in-this-suite'
const setupKey = 'the-setup-key-of-the-chaos-suite'

export interface Scene {
  cluster: Cluster
  addresses(): string[]
  model: string
  hostile: string
  /** With which the platform admin is recognised. */
  ownerHeaders: Record<string, string>
  /** The link in the email to this address, once it has come. */
  linkTo(email: string): Promise<string>
  /** How busy each node was so far. */
  read(): Promise<Reading[]>
  stop(): Promise<void>
}

const readNode = async (node: ChaosNode): Promise<Reading> => {
  const reply = await fetch(`${await node.ready()}/metrics`, { headers: bearer(metricsToken) })
  const schedstat = readFileSync(`/proc/${node.pid()}/schedstat`, 'utf8')
  return { metrics: parseMetrics(await reply.text()), loop: parseSchedstat(schedstat) }
}

export const openScene = async (): Promise<Scene> => {
  const [around, hostile] = await Promise.all([startSurroundings(), startPeer(peerProgram, ['hostile'])])
  const env = {
    ...around.env,
    COMPAT_API_BASE_URLS: `${around.model}/v1;${hostile.url}/v1`,
    OUTBOUND_ALLOWED_HOSTS: new URL(hostile.url).host,
    METRICS_TOKEN: metricsToken,
    ADMIN_SETUP_KEY: setupKey,
  }
  const cluster = await startCluster({ label: 'tenants', skewsMs: [0, 0], env })
  const ready = await Promise.all(cluster.nodes.map((node) => node.ready()))
  const admin = { setupKey, name: 'Olga Owner', email: 'owner@example.test', password: 'a perfectly fine passphrase' }
  const { token } = await expectOk('setting up', somebodyAt(ready, '10.1.0.1').post('/api/admin/auth/setup', admin))
  const stop = async (): Promise<void> => {
    await cluster.stop()
    await Promise.all([around.stop(), hostile.stop()])
  }
  // Nodes, and what hangs in them, would go on without the suite.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  const addresses = (): string[] => cluster.nodes.flatMap((node) => node.address() ?? [])
  return {
    cluster,
    addresses,
    model: around.model,
    hostile: hostile.url,
    ownerHeaders: bearer(token),
    linkTo: around.linkTo,
    read: () => Promise.all(cluster.nodes.map(readNode)),
    stop,
  }
}
