/** Every route against an expired trial, a banned person, and somebody whose email address is not proven. */
import { describe, expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'
import { bearer } from '../harness/client.ts'

/** It asks for proven addresses; the people of the first two groups have proven theirs. */
const app = await testApp({ env: { SVC_REQUIRE_VERIFIED_EMAIL: 'true' } })
const filled = (path: string) => path.replace(/:\w+/g, app.unknownId()).replace(/\/\*$/, '/x')
const routes = app.routes.filter(({ access }) => access !== 'public' && access !== 'platformOwner')

const send = (token: string, { method, path }: { method: string; path: string }) =>
  app.newcomer().send(method, filled(path), {
    headers: { ...bearer(token), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })

/** Actions that an expired trial still allows: take rights away, look, and change one's own account. */
const stillAllowed = [
  'POST /api/auth/logout',
  'PATCH /api/auth/me',
  'POST /api/auth/change-password',
  'POST /api/auth/resend-verification',
  'DELETE /api/auth/sessions/:id',
  'DELETE /api/v1/api-keys/:id',
  'DELETE /api/org/team/invitations/:id',
  'POST /api/org/team/:userId/deactivate',
  'POST /api/org/ldap/test',
  'DELETE /api/v1/chats/:chatId/share',
  'POST /api/tasks/chat/:chatId/stop',
  'POST /api/tasks/stop/:taskId',
  'POST /api/v1/agent-runs/:runId/cancel',
]
const isAllowed = (name: string) => stillAllowed.includes(name) || /\/(count_tokens|(event|cron)\/test)$/.test(name)

describe('an organization whose trial has ended', async () => {
  const boss = await app.user({ org: 'Expired', isProven: true })
  const owner = await app.platformOwner()
  const past = new Date(app.clock.now().getTime() - 1000).toISOString()
  await owner.patch(`/api/admin/organizations/${boss.organizationId}`, { trialEndsAt: past })
  const named = routes.map((route) => ({ name: `${route.method} ${route.path}`, route }))

  it.each(named.filter(({ name, route }) => route.method !== 'GET' && !isAllowed(name)))(
    'may not $name',
    async ({ route }) => {
      const { status, text } = await send(boss.token, route)
      expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining('trial_expired') })
    },
  )

  it.each(
    named.filter(({ name, route }) => route.method !== 'GET' && name !== 'POST /api/auth/logout' && isAllowed(name)),
  )('may still $name', async ({ route }) => {
    expect((await send(boss.token, route)).text).not.toContain('trial_expired')
  })
})

describe('a banned person', async () => {
  const ana = await app.user({ org: 'Banned', isProven: true })
  const { key } = (await ana.post('/api/v1/api-keys', { name: 'k' })).body
  const owner = await app.platformOwner()
  await owner.patch(`/api/admin/users/${ana.id}`, { status: 'DEACTIVATED' })

  const named = routes.map((route, index) => ({ name: `${route.method} ${route.path}`, route, byKey: index % 2 === 1 }))
  it.each(named)('is refused at $name, by session or by key', async ({ route, byKey }) => {
    expect((await send(byKey ? key : ana.token, route)).status).toBe(401)
  })
})

describe('a person whose email address is not proven, where the platform asks for proof', async () => {
  const [boss, loner] = [await app.user({ org: 'Unproven' }), await app.user()]
  /** Inviting, sending a document, sharing and publishing. */
  const refused = [
    'POST /api/org/team/invite',
    'POST /api/org/team/invitations/:id/resend',
    'POST /api/org/team/invitations/:id/link',
    'POST /api/v1/chats/:chatId/share',
    'PUT /api/v1/chats/:chatId/share/public',
    'POST /api/v1/agent-workflows/:id/submit',
    'POST /api/v1/agent-workflows/:id/approve',
    'POST /api/v1/agent-workflows/:id/rollback-and-publish',
    'POST /api/signing/documents/:id/send',
    'POST /api/signing/documents/:id/recipients/:recipientId/resend',
    'POST /api/signing/documents/:id/recipients/:recipientId/link',
    'POST /api/signing/documents/:id/recipients/:recipientId/replace',
    'POST /api/signing/templates/:id/use',
    'POST /api/signing/templates/:id/bulk',
    'POST /api/signing/inbox/:recipientId/open',
  ]
  const writes = routes.filter(({ method }) => method !== 'GET').map((route) => `${route.method} ${route.path}`)
  const isRefused = (name: string) => refused.includes(name)
  const ask = async (name: string) => {
    const [method = '', path = ''] = name.split(' ')
    const replies = [await send(boss.token, { method, path })]
    if (!path.startsWith('/api/org/')) replies.push(await send(loner.token, { method, path }))
    return replies
  }

  it('is refused at routes that exist', () => expect(writes).toEqual(expect.arrayContaining(refused)))

  it.each(writes.filter(isRefused))('may not %s', async (name) => {
    for (const { status, text } of await ask(name))
      expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining('email_not_verified') })
  })

  it.each(writes.filter((name) => !isRefused(name) && name !== 'POST /api/auth/logout'))('may %s', async (name) => {
    for (const { text } of await ask(name)) expect(text).not.toContain('email_not_verified')
  })
})
