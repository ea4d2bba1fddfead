/**
 * One app for all test files of a worker that need no configuration of their own. It has a clock that may be moved
 * forward, a web site that its workflows may call, and a key to publish events with; a test may start another node on its
 * database. It ends with the worker's process, its database with the run. What would disturb other files throws.
 */
import { type Answer, startSite, type WebSite } from '../peers/site.ts'
import { launchApp, type TestApp, withPeople } from './app.ts'
import { ingestKey } from './bus.ts'
import type { Person } from './people.ts'

const ok: Answer = (_request, response) => response.end('ok')
let current = ok

const start = async () => {
  const site = await startSite((request, response) => current(request, response))
  const env = { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
  return { site, app: withPeople(await launchApp({ env })) }
}
let started: ReturnType<typeof start> | undefined

const refuse = (what: string): never => {
  throw new Error(`The shared app refuses ${what}, which would disturb other test files. Use testApp() instead.`)
}

/** A person, an organization or a chat belongs to one file; what else the owner can change concerns all of them. */
const ofOneFile = /^\/api\/(admin\/(users|organizations)\/[^/]+|v1\/chats\/.+)$/

const guard =
  <Rest extends unknown[], Result>(method: string, call: (path: string, ...rest: Rest) => Result) =>
  (path: string, ...rest: Rest): Result =>
    ofOneFile.test(path) ? call(path, ...rest) : refuse(`${method} ${path} by the platform admin`)

const guardOwner = (owner: Person): Person => ({
  ...owner,
  post: guard('POST', owner.post),
  put: guard('PUT', owner.put),
  patch: guard('PATCH', owner.patch),
  delete: guard('DELETE', owner.delete),
  send: (method, path, init) => guard(method, (to: string) => owner.send(method, to, init))(path),
})

/** What is registered stays. */
const guardPorts = (ports: TestApp['ports']): TestApp['ports'] => {
  const refuseToRegister = () => refuse('to register something with its event bus')
  const registering = Object.keys(ports.eventBus).filter((name) => name.startsWith('register'))
  const guarded = Object.fromEntries(registering.map((name) => [name, refuseToRegister]))
  return { ...ports, eventBus: { ...ports.eventBus, ...guarded } }
}

/** The site answers as this file says, and has seen no request yet. */
export const sharedApp = async (answer: Answer = ok): Promise<TestApp & { site: WebSite }> => {
  started ??= start()
  const { site, app } = await started
  current = answer
  site.requests.length = 0
  return {
    ...withPeople(app),
    platformOwner: async () => guardOwner(await app.platformOwner()),
    ports: guardPorts(app.ports),
    site,
    stop: () => refuse('to stop'),
    get smtp() {
      return refuse('its mail server')
    },
    get logLines() {
      return refuse('its log')
    },
  }
}
