import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { password } from '#test/harness/people.ts'

const app = await testApp({ env: { JWT_EXPIRES_IN: '60d' } })
const org = 'Trial Run'
const [boss, member, gone] = [await app.user({ org }), await app.user({ org }), await app.user({ org })]
const email = `invited.${app.unknownId()}@example.test`
await boss.post(`/api/org/team/${gone.id}/deactivate`)
const group = (await boss.post('/api/org/groups', { name: 'Kept' })).body

describe('a trial', () => {
  it('lasts thirty days, and everything can be changed until its last moment', async () => {
    app.clock.forward({ days: 29, minutes: 1430 })
    expect(await boss.patch(`/api/org/groups/${group.id}`, { name: 'Still' })).toMatchObject({ status: 200 })
    const invitation = await boss.post('/api/org/team/invite', { email })
    expect(invitation).toMatchObject({ status: 201 })
  })

  it('turns read-only when it ends: nothing can be changed', async () => {
    const token = new URL(`http://x${(await app.letterTo(email)).link()}`).searchParams.get('token')
    const [invitation] = (await boss.get('/api/org/team')).body.invitations
    app.clock.forward({ minutes: 10 })
    const expired = { status: 403, body: { code: 'trial_expired' } }
    for (const reply of [
      await boss.post('/api/org/team/invite', { email: 'late@example.test' }),
      await boss.post(`/api/org/team/invitations/${invitation.id}/resend`),
      await app.newcomer().post('/api/auth/accept-invite', { token, name: 'Late', password }),
      await boss.put(`/api/org/team/${member.id}/role`, { role: 'ROLE_ORG_ADMIN' }),
      await boss.post(`/api/org/team/${gone.id}/reactivate`),
      await boss.patch('/api/org/settings', { name: 'Other' }),
      await boss.post('/api/org/groups', { name: 'New' }),
      await boss.patch(`/api/org/groups/${group.id}`, { name: 'New' }),
      await boss.delete(`/api/org/groups/${group.id}`),
    ])
      expect(reply).toMatchObject(expired)
    expect(app.lettersTo('late@example.test')).toEqual([])
  })

  it('still lets everybody sign in and read, and nothing is gone', async () => {
    expect(await app.newcomer().post('/api/auth/login', { email: member.email, password })).toMatchObject({
      status: 200,
    })
    expect((await boss.get('/api/org/me')).body).toMatchObject({ name: org, plan: { name: 'TRIAL' } })
    expect((await member.get('/api/org/groups')).body.items).toMatchObject([{ id: group.id, name: 'Still' }])
    expect((await boss.get('/api/org/team')).body.members).toHaveLength(3)
  })

  it('still lets an administrator cut people off and withdraw invitations', async () => {
    const [invitation] = (await boss.get('/api/org/team')).body.invitations
    expect(await boss.delete(`/api/org/team/invitations/${invitation.id}`)).toMatchObject({ status: 204 })
    expect(await boss.post(`/api/org/team/${member.id}/deactivate`)).toMatchObject({ status: 200 })
  })

  it('is extended or removed by the platform, and then everything works again', async () => {
    const owner = await app.platformOwner()
    const console = `/api/admin/organizations/${boss.organizationId}`
    const inAWeek = new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString()
    expect(await owner.patch(console, { trialEndsAt: inAWeek })).toMatchObject({ status: 200 })
    expect(await boss.patch('/api/org/settings', { name: 'Prolonged' })).toMatchObject({ status: 200 })
    await owner.patch(console, { trialEndsAt: app.clock.now().toISOString() })
    expect(await boss.patch('/api/org/settings', { name: 'Over' })).toMatchObject({ status: 403 })
    await owner.patch(console, { plan: 'BUSINESS' })
    expect(await boss.patch('/api/org/settings', { name: 'Paid' })).toMatchObject({ status: 200 })
  })
})
