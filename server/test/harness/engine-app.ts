/**
 * One app for all test files of a worker that are about workflows and events, or that the shared app would refuse. It has
 * a clock that may be moved forward, a web site that its workflows may call, and a key to publish events with; a test may
 * start another node on its database. It ends with the worker. Files must not rely on what others left: give event types
 * names that no other file uses.
 */
import { type Answer, startSite, type WebSite } from '../peers/site.ts'
import { launchApp, type TestApp, withPeople } from './app.ts'
import { ingestKey } from './bus.ts'

const ok: Answer = (_request, response) => response.end('ok')
let current = ok

const start = async () => {
  const site = await startSite((request, response) => current(request, response))
  const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  return { site, app: withPeople(await launchApp({ env })) }
}
let started: ReturnType<typeof start> | undefined

const refuse = (what: string): never => {
  throw new Error(`The engine's app refuses ${what}, which would disturb other test files. Use testApp() instead.`)
}

/** Events can be published and subscribed to, but nothing can be put into the bus that stays. */
const guardPorts = ({ eventBus, ...others }: TestApp['ports']): TestApp['ports'] => ({
  ...others,
  eventBus: {
    ...eventBus,
    registerRunStarter: () => refuse('another starter of runs'),
    registerListener: () => refuse('another listener'),
    registerPauseListener: () => refuse('another listener'),
    registerWorkflowNames: () => refuse('other names of workflows'),
    registerRunProgress: () => refuse('another progress of runs'),
  },
})

/** The site answers as this file says, and has seen no request yet. */
export const engineApp = async (answer: Answer = ok): Promise<TestApp & { site: WebSite }> => {
  started ??= start()
  const { site, app } = await started
  current = answer
  site.requests.length = 0
  return {
    ...withPeople(app),
    platformOwner: app.platformOwner,
    ports: guardPorts(app.ports),
    stop: () => refuse('to stop'),
    site,
  }
}
