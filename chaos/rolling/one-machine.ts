/** One machine whose servers are rolled, killed and frozen, and whose supervisor is killed and stopped. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bearer } from '../../server/test/harness/client.ts'
import { freePort } from '../../server/test/peers/free-port.ts'
import { startCluster } from '../cluster.ts'
import type { ChaosNode } from '../node.ts'
import { createRandom } from '../plan.ts'
import { waitForRest } from '../rest.ts'
import { report, say } from '../say.ts'
import { prepareTraffic } from '../traffic/traffic.ts'
import { createMachine, serverCount } from './machine.ts'
import { type Step, underLoad } from './steps.ts'
import { type Browsers, findLostFiles, openBrowsers, readStreams, sendFiles } from './visitors.ts'

const restMs = 120_000
const stops = 3

/** What is left of a supervisor that was killed, and how those that were asked to stop ended. */
interface Ends {
  left: string[]
  unclean: string[]
}

const stepsOf = (node: ChaosNode, browsers: Browsers): { steps: Step[]; ends: Ends } => {
  const machine = createMachine(node)
  const ends: Ends = { left: [], unclean: [] }
  const killSupervisor = async (): Promise<void> => {
    ends.left.push(...(await machine.killSupervisor()))
    await machine.ready()
  }
  const stop = async (): Promise<void> => {
    const how = await node.restart()
    if (how !== 0) ends.unclean.push(String(how))
    await node.ready()
    await machine.ready()
  }
  const roll = () => machine.roll().then(browsers.hear)
  const harmless: Step[] = ['a SIGHUP', 'another SIGHUP'].map((what) => ({ what, take: roll }))
  const harmful: Record<string, () => Promise<void>> = {
    'a server is killed': () => machine.loseOne('SIGKILL'),
    'a server freezes': () => machine.loseOne('SIGSTOP'),
    'a SIGHUP while a server is frozen': () => machine.freezeOne().then(roll),
    'the supervisor is killed': killSupervisor,
    'the supervisor is killed while a server is frozen': () => machine.freezeOne().then(killSupervisor),
    ...Object.fromEntries(Array.from({ length: stops }, (_, index) => [`stop and start ${index + 1}`, stop])),
  }
  const steps = [
    ...harmless,
    ...Object.entries(harmful).map(([what, take]) => ({ what, take, mayFail: true })),
    { what: 'a last SIGHUP', take: roll },
  ]
  return { steps, ends }
}

export const runOneMachine = async (seed: number): Promise<boolean> => {
  say(`one machine with ${serverCount} servers`)
  const random = createRandom(seed + 1)
  const prepared = await prepareTraffic(random)
  const env = { ...prepared.env, SVC_PROCESSES: String(serverCount), PORT: String(await freePort()) }
  const cluster = await startCluster({ label: `rolling-${seed}`, skewsMs: [0], env })
  const [node] = cluster.nodes
  if (!node) throw new Error('no machine was started')
  try {
    const address = await node.ready()
    await createMachine(node).ready()
    const traffic = await prepared.start({ db: cluster.db, addresses: () => [node.address() ?? []].flat(), random })
    const { token } = await traffic.newAccount()
    const person = traffic.persistent(bearer(token))
    let isOver = false
    const visit = { address, token, isOver: () => isOver, onFailed: traffic.onFailed }
    const visiting = Promise.all([readStreams(visit), readStreams(visit), sendFiles(visit)])
    const browsers = await openBrowsers(person, { address, token })
    await browsers.hear()
    say('the load begins')

    const { steps, ends } = stepsOf(node, browsers)
    const lostFiles: string[] = []
    const rest = async (): Promise<boolean> => {
      isOver = true
      const [one, two, files] = await visiting
      browsers.close()
      say(`${one + two} streams were whole, ${files.length} files accepted`)
      lostFiles.push(...(await findLostFiles(person, files)))
      return waitForRest(cluster.db, restMs)
    }
    const found = await underLoad(traffic, { steps, rest })
    found.set('an accepted file that is lost', lostFiles)
    found.set('a server that outlives its supervisor', ends.left)
    found.set('a stop that was not clean', ends.unclean)
    const log = readFileSync(join(cluster.logs, 'node-0.log'), 'utf8')
    found.set('a start that was refused', log.match(/.* is (taken|already running).*/g) ?? [])
    return report(found)
  } finally {
    await cluster.stop()
    await prepared.stop()
    say(`what the servers logged: ${cluster.logs}`)
  }
}
