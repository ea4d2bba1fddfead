/**
 * Every route against an expired trial, a banned person, and somebody whose email address is not proven: each does what
 * it says of itself.
 */
import { describe, expect, it } from 'vitest'
import type { Route } from '#kernel/http/route.ts'
import { testApp } from '../harness/app.ts'
import { bearer } from '../harness/client.ts'

/** It asks for proven addresses; the people of the first two groups have proven theirs. */
const app = await testApp({ env: { SVC_REQUIRE_VERIFIED_EMAIL: 'true' } })
const filled = (path: string) => path.replace(/:\w+/g, app.unknownId()).replace(/\/\*$/, '/x')
/** No account opens these; scim/tokens/tokens.test.ts has the expired trial of a directory's. */
const notForPeople = ['public', 'platformOwner', 'scimToken']
const routes = app.routes.filter(({ access }) => !notForPeople.includes(access))
const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }))
const writing = named.filter(({ route }) => route.writes !== undefined)
/** It ends the session that the other routes are asked with. */
const isNotLogout = ({ name }: { name: string }) => name !== 'POST /api/auth/logout'

const send = (token: string, { method, path }: { method: string; path: string }) =>
  app.newcomer().send(method, filled(path), {
    headers: { ...bearer(token), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })

describe('an organization whose trial has ended', async () => {
  const boss = await app.user({ org: 'Expired', isProven: true })
  const owner = await app.platformOwner()
  const past = new Date(app.clock.now().getTime() - 1000).toISOString()
  await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { trialEndsAt: past })
  const thatAre = (rule: 'allowed' | 'refused') => writing.filter(({ route }) => route.writes?.whenReadOnly === rule)

  it.each(thatAre('refused'))('may not $name', async ({ route }) => {
    const { status, text } = await send(boss.token, route)
    expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining('trial_expired') })
  })

  it.each(thatAre('allowed').filter(isNotLogout))('may still $name', async ({ route }) => {
    expect((await send(boss.token, route)).text).not.toContain('trial_expired')
  })
})

describe('a banned person', async () => {
  const ana = await app.user({ org: 'Banned', isProven: true })
  const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
  const owner = await app.platformOwner()
  await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })

  const turns = named.map((each, index) => ({ ...each, byKey: index % 2 === 1 }))
  it.each(turns)('is refused at $name, by session or by key', async ({ route, byKey }) => {
    expect((await send(byKey ? key : ana.token, route)).status).toBe(401)
  })
})

describe('a person whose email address is not proven, where the platform asks for proof', async () => {
  const [boss, loner] = [await app.user({ org: 'Unproven' }), await app.user()]
  /** It asks for proof whatever the setting says: the address is what shows that the document is theirs. */
  const isOwnInbox = ({ name }: { name: string }) => name === 'POST /api/signing/inbox/:recipientId/open'
  const ask = async (route: Route) => {
    const replies = [await send(boss.token, route)]
    if (!route.path.startsWith('/api/org/')) replies.push(await send(loner.token, route))
    return replies
  }
  const reaching = writing.filter((each) => each.route.writes?.reachesOthers === true || isOwnInbox(each))

  it('is asked of some', () => expect(reaching.length).toBeGreaterThan(10))

  it.each(reaching)('may not $name', async ({ route }) => {
    for (const { status, text } of await ask(route))
      expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining('email_not_verified') })
  })

  it.each(writing.filter((each) => !reaching.includes(each) && isNotLogout(each)))('may $name', async ({ route }) => {
    for (const { text } of await ask(route)) expect(text).not.toContain('email_not_verified')
  })
})
