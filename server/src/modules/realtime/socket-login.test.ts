import { expect, it, vi } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { prepareChat } from '#test/harness/chat.ts'
import { claimsOf, forge } from '#test/harness/forge.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { createSockets } from '#test/harness/sockets.ts'

const app = await testApp({ timings: { socketCheckMs: 50 } })
const { connect, connectAs } = createSockets(app.url)

const refusedWith = (code: string) => ({ data: { code } })
const withCookie = (token: string, origin?: string) => ({
  extraHeaders: { cookie: `token=${token}`, ...(origin !== undefined && { origin }) },
})
const keyOf = async (person: Awaited<ReturnType<typeof app.user>>, allowed_routes?: string[]): Promise<string> => {
  const { body } = await person.post('/api/v1/api-keys', { name: 'sockets', ...(allowed_routes && { allowed_routes }) })
  return body.key
}

it('tells a person who they are', async () => {
  const ana = await app.user({ name: 'Ana' })
  const socket = await connectAs(ana)
  expect(await socket.emitWithAck('user-join', { auth: { token: 'ignored' } })).toEqual({ id: ana.id, name: 'Ana' })
  expect(await socket.timeout(5000).emitWithAck('heartbeat', {})).toBeUndefined()
})

it.each([{ transports: ['polling'] }, { transports: ['polling', 'websocket'] }])(
  'lets a client in that begins by polling, as clients do by default: $transports',
  async ({ transports }) => {
    const ana = await app.user({ name: 'Ana' })
    const socket = await connect({ auth: { token: ana.token }, transports })
    await vi.waitFor(() => expect(socket.io.engine.transport.name).toBe(transports.at(-1)), { timeout: 10_000 })
    expect(await socket.emitWithAck('user-join')).toEqual({ id: ana.id, name: 'Ana' })
    const chat = await prepareChat(ana, { model: 'guide' })
    const ended = new Promise((resolve) => {
      socket.on('events', ({ data }) => data.type === 'chat:completion' && data.data.done && resolve(data.data))
    })
    await ana.post('/api/chat/completions', { model: 'guide', ...chat.body })
    expect(await ended).toMatchObject({ done: true })
    const left = new Promise((resolve) => socket.once('disconnect', resolve))
    await ana.post('/api/auth/logout')
    expect(await left).toBe('io server disconnect')
    await expect(connect({ auth: { token: ana.token }, transports })).rejects.toMatchObject(
      refusedWith('not_authenticated'),
    )
  },
)

it('lets platform admins in as themselves', async () => {
  const owner = await app.platformOwner()
  const socket = await connectAs(owner)
  expect(await socket.emitWithAck('user-join')).toEqual({ id: owner.id, name: 'Olga Owner' })
})

it('A34: refuses everybody without a good token', async () => {
  const ana = await app.user()
  const expired = forge({ claims: { ...claimsOf(ana.token), exp: Math.floor(Date.now() / 1000) - 60 } })
  const forged = forge({ claims: claimsOf(ana.token), secret: 'x'.repeat(64) })
  const bad = [undefined, {}, { token: '' }, { token: null }, { token: { $ne: 1 } }, { token: 'sk-none' }]
  for (const auth of [...bad, { token: expired }, { token: forged }])
    await expect(connect(auth ? { auth } : {})).rejects.toMatchObject(refusedWith('not_authenticated'))
})

it('A34: a bad token is not saved by a good cookie', async () => {
  const ana = await app.user()
  const both = { auth: { token: 'nonsense' }, ...withCookie(ana.token, app.url) }
  await expect(connect(both)).rejects.toMatchObject(refusedWith('not_authenticated'))
})

it('A34: a key must be allowed to use the socket path', async () => {
  const ana = await app.user()
  const [all, sockets, models] = await Promise.all([
    keyOf(ana),
    keyOf(ana, ['/ws/socket.io']),
    keyOf(ana, ['/api/models', '/ws/socket']),
  ])
  for (const token of [all, sockets]) expect((await connect({ auth: { token } })).connected).toBe(true)
  await expect(connect({ auth: { token: models } })).rejects.toMatchObject(refusedWith('key_route_not_allowed'))
})

it("A34: the browser's cookie opens the door only for our own pages", async () => {
  const ana = await app.user({ name: 'Ana' })
  const own = await connect(withCookie(ana.token, app.url))
  expect(await own.emitWithAck('user-join')).toMatchObject({ id: ana.id })
  const foreign = ['https://evil.test', 'null', `${app.url}.evil.test`, `${app.url}0`]
  for (const origin of [...foreign, undefined])
    await expect(connect(withCookie(ana.token, origin))).rejects.toMatchObject(refusedWith('origin_not_allowed'))
})

it('A34: there are no other rooms and no other namespaces to enter', async () => {
  const ana = await app.user()
  const socket = await connectAs(ana)
  await expect(connect({ auth: { token: ana.token }, path: '/socket.io' })).rejects.toThrow()
  const other = socket.io.socket('/admin', { auth: { token: ana.token } })
  await expect(new Promise((_, reject) => other.once('connect_error', reject))).rejects.toThrow('Invalid namespace')
})

/** A company of two administrators, one of whom is connected. */
const connectedAdmin = async () => {
  const org = `Org ${app.unknownId()}`
  const boss = await app.user({ org })
  const ana = await app.user({ org, role: 'ROLE_ORG_ADMIN' })
  const socket = await connectAs(ana)
  return { boss, ana, ended: new Promise((resolve) => socket.once('disconnect', resolve)) }
}

it('A34: signing out ends the socket', async () => {
  const { ana, ended } = await connectedAdmin()
  expect(await ana.post('/api/auth/logout')).toMatchObject({ status: 204 })
  expect(await ended).toBe('io server disconnect')
  await expect(connectAs(ana)).rejects.toMatchObject(refusedWith('not_authenticated'))
})

it('A34: being deactivated ends the socket', async () => {
  const { boss, ana, ended } = await connectedAdmin()
  expect(await boss.post(`/api/org/team/${ana.id}/deactivate`)).toMatchObject({ status: 200 })
  expect(await ended).toBe('io server disconnect')
  await expect(connectAs(ana)).rejects.toMatchObject(refusedWith('not_authenticated'))
})

it('A34: being demoted ends the socket; a new one has the new rights', async () => {
  const { boss, ana, ended } = await connectedAdmin()
  expect(await boss.put(`/api/org/team/${ana.id}/role`, { role: 'ROLE_USER' })).toMatchObject({ status: 200 })
  expect(await ended).toBe('io server disconnect')
})

it('A34: demotion and deactivation that nobody announced end a socket all the same', async () => {
  const [ana, bob] = await Promise.all([app.user({ org: `Org ${app.unknownId()}` }), app.user()])
  const sockets = await Promise.all([connectAs(ana), connectAs(bob)])
  await app.db.updateTable('users').set({ role: 'ROLE_USER' }).where('id', '=', ana.id).execute()
  await app.db.updateTable('users').set({ deactivatedAt: new Date() }).where('id', '=', bob.id).execute()
  // A node remembers for four seconds who a token belongs to.
  app.clock.forward({ ms: 4000 })
  await vi.waitFor(() => expect(sockets.map(({ connected }) => connected)).toEqual([false, false]), { timeout: 10_000 })
  expect((await connectAs(ana)).connected).toBe(true)
})

it('A34: a socket ends with its key, and not with another', async () => {
  const ana = await app.user()
  const byLogin = await connectAs(ana)
  // Each key that goes has all sockets of its owner checked: when the second has ended, the first check is over.
  for (const name of ['first', 'second']) {
    const made = await ana.post('/api/v1/api-keys', { name })
    const byKey = await connect({ auth: { token: made.body.key } })
    const ended = new Promise((resolve) => byKey.once('disconnect', resolve))
    await ana.delete(`/api/v1/api-keys/${made.body.id}`)
    expect(await ended).toBe('io server disconnect')
  }
  expect(await byLogin.timeout(10_000).emitWithAck('user-join')).toMatchObject({ id: ana.id })
  expect(byLogin.connected).toBe(true)
})

it('A34: what comes back after a lost line is checked again', async () => {
  const ana = await app.user()
  const socket = await connectAs(ana)
  const lost = new Promise((resolve) => socket.once('disconnect', resolve))
  const refused = new Promise((resolve) => socket.once('connect_error', resolve))
  socket.io.engine.close()
  expect(await lost).toBe('forced close')
  await ana.post('/api/auth/logout')
  socket.connect()
  expect(await refused).toMatchObject(refusedWith('not_authenticated'))
})

it('A34: a socket ends when its login expires', async () => {
  const ana = await app.user()
  const socket = await connectAs(ana)
  app.clock.forward({ days: 29 })
  await vi.waitFor(() => expect(socket.connected).toBe(false), { timeout: 10_000 })
})

it('leaves other requests that offer an upgrade alone', async () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'h2c' }
  expect(await rawRequest(app.url, { path: '/health', headers: upgrade })).toMatchObject({ status: 200 })
  const websocket = { connection: 'Upgrade', upgrade: 'websocket' }
  for (const path of ['/ws/socket.iox', '/ws/../ws/socket.io/', '/ws'])
    expect(await rawRequest(app.url, { path, headers: websocket })).toMatchObject({ status: 401 })
})
