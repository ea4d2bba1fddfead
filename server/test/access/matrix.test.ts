/** A01: every route that names something by id, asked by everybody it is not for; and every list, for what is foreign. */
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startModelRuntime } from '#test/peers/model-runtime.ts'
import { expectErrorBody } from './leaks.ts'
import { castFor, matrix } from './matrix.ts'
import type { Role, Row } from './row.ts'

const runtime = await startModelRuntime()
afterAll(() => runtime.close())
const app = await testApp({ env: { UPSTREAM_BASE_URL: runtime.url, SIGNING_UNPROVEN_MAILS_PER_HOUR: '10000' } })
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
/** Shared by the rows that leave people as they are: making everybody takes longer than most rows. */
const sharedCast = await castFor(app)
const json = { 'content-type': 'application/json' }

describe('the matrix', () => {
  it('knows every route that names something by a parameter', () => {
    const named = app.routes.filter(({ path }) => path.includes(':')).map(nameOf)
    expect(Object.keys(matrix).sort()).toEqual(named.sort())
  })
})

/** Outsiders first, the one it belongs to last: then it must still be there. */
const order: Role[] = ['nobody', 'deactivated', 'stranger', 'colleague', 'boss', 'self', 'platformOwner']

type Made = ReturnType<Row['make']>
const sharedThings = new Map<Row['make'], Made>()
const makeShared = (make: Row['make']): Made => {
  const made = sharedThings.get(make) ?? make(app, sharedCast)
  sharedThings.set(make, made)
  return made
}
/** A thing that is only read, or changed by nobody, may be the same for several rows. */
const canShare = (name: string, { statuses, ...row }: Row): boolean => {
  if (row.changesPeople || row.isUsedUp) return false
  return row.isHarmless || name.startsWith('GET ') || Object.values(statuses).every((status) => status >= 400)
}

describe.each(Object.entries(matrix))('%s', (name, row) => {
  it('answers each as the matrix says, and shows no outsider a foreign field', async () => {
    const cast = row.changesPeople ? await castFor(app) : sharedCast
    const thing = await (canShare(name, row) ? makeShared(row.make) : row.make(app, cast))
    const [method = '', path = ''] = name.split(' ')
    type Thing = { id: string; within?: string; body?: unknown }
    const ask = (role: Role, { id, within = app.unknownId(), body = row.body }: Thing) =>
      cast[role].send(method, path.replace(/:\w+/, id).replace(/:\w+/g, within), {
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: json }),
      })

    const isRefused = (role: Role) => row.statuses[role] >= 400
    /** Refused before the id is read: there is nothing to compare. */
    const isUnknown = (role: Role) => role === 'nobody' || role === 'deactivated'
    const asking = order.filter((role) => row.askedBy?.includes(role) ?? true)
    const allowed = asking.filter((role) => !isRefused(role))
    for (const role of [...asking.filter(isRefused), ...allowed]) {
      const isOver = row.isUsedUp && allowed.indexOf(role) > 0
      const reply = await ask(role, isOver ? await row.make(app, cast) : thing)
      expect(reply.status, role).toBe(row.statuses[role])
      if (!isRefused(role)) continue
      expectErrorBody(reply.text)
      for (const mark of thing.marks) expect(reply.text, role).not.toContain(mark)
      if (isUnknown(role)) continue
      const unknown = await ask(role, { ...thing, id: app.unknownId() })
      expect({ ...reply.body, request_id: '' }, role).toEqual({ ...unknown.body, request_id: '' })
    }
  })
})

describe('a list or a page of the own things', async () => {
  /** A stream has no end; its own tests read it. */
  const reads = app.routes.filter(
    ({ method, path, access }) =>
      method === 'GET' &&
      !/:|\/stream$/.test(path) &&
      (access === 'user' || access === 'signedIn' || access === 'orgAdmin'),
  )

  /**
   * Lists that colleagues see of each other (names, addresses, groups, runs); platform admins look after collections.
   */
  const shared = ['/api/org/team', '/api/org/groups', '/api/org/departments', '/api/v1/agent-runs']
  const isMeantFor = (role: Role, name: string): boolean =>
    (role === 'colleague' && shared.some((path) => name.endsWith(path))) ||
    (role === 'platformOwner' && /\/(knowledge|ratings)\/?$/.test(name))

  const { victim } = sharedCast
  const { body } = await victim.get('/api/auth/sessions')
  const own = [victim.id, victim.email, victim.name, body.sessions[0].id]
  const marksFor = (role: Role) => (role === 'stranger' ? [...own, victim.organizationId] : own)

  it.each(reads.map(nameOf))('%s shows nothing of somebody else', async (name) => {
    for (const role of ['stranger', 'colleague', 'platformOwner'] as const) {
      const reply = await sharedCast[role].get(name.split(' ')[1] ?? '')
      expect(reply.status).toBeLessThan(500)
      if (isMeantFor(role, name)) continue
      for (const mark of marksFor(role)) expect(reply.text, `${mark} to ${role}`).not.toContain(mark)
    }
  })
})
