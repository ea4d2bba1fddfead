/**
 * One app for all test files of a worker that need nothing of their own: no configuration, clock, failpoints, second
 * node or platform-wide settings, and no counting of everybody's rows. It ends with the worker's process, its database
 * with the run. What would disturb other files throws.
 */
import { launchApp, type TestApp, withPeople } from './app.ts'
import type { Person } from './people.ts'

let started: Promise<TestApp> | undefined

const refuse = (what: string): never => {
  throw new Error(`The shared app refuses ${what}, which would disturb other test files. Use testApp() instead.`)
}

/** A person or an organization belongs to one file; everything else that the owner can change concerns all of them. */
const isOfOneFile = (path: string): boolean => /^\/api\/admin\/(users|organizations)\/[^/]+$/.test(path)

const guard =
  <Rest extends unknown[], Result>(method: string, call: (path: string, ...rest: Rest) => Result) =>
  (path: string, ...rest: Rest): Result =>
    isOfOneFile(path) ? call(path, ...rest) : refuse(`${method} ${path} by the platform admin`)

const guardOwner = (owner: Person): Person => ({
  ...owner,
  post: guard('POST', owner.post),
  put: guard('PUT', owner.put),
  patch: guard('PATCH', owner.patch),
  delete: guard('DELETE', owner.delete),
  send: (method, path, init) => guard(method, (to: string) => owner.send(method, to, init))(path),
})

export const sharedApp = async (): Promise<TestApp> => {
  started ??= launchApp({}).then(withPeople)
  const shared = await started
  return {
    ...withPeople(shared),
    platformOwner: async () => guardOwner(await shared.platformOwner()),
    clock: { ...shared.clock, forward: () => refuse('a change of its clock') },
    stop: () => refuse('to stop'),
    get ports() {
      return refuse('the ports of its modules')
    },
    get smtp() {
      return refuse('its mail server')
    },
    get databaseUrl() {
      return refuse('another node on its database')
    },
    get logLines() {
      return refuse('its log')
    },
  }
}
