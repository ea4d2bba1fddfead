import { describe, expect, it } from 'vitest'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const owner = await app.platformOwner()

const team = async () => {
  const org = `org ${app.unknownId()}`
  const [boss, member] = [await app.user({ org }), await app.user({ org })]
  const login = async () => (await app.newcomer().post('/api/auth/login', { email: member.email, password })).status
  const set = (status: string) => owner.patch(`/api/admin/users/${member.id}`, { status })
  const change = (verb: string) => boss.post(`/api/org/team/${member.id}/${verb}`)
  return { boss, member, login, set, change }
}

describe('a ban by the platform', () => {
  it('is not lifted by an administrator of the organization', async () => {
    const { boss, member, login, set, change } = await team()
    expect(await set('DEACTIVATED')).toMatchObject({ status: 200, body: { status: 'DEACTIVATED' } })
    expect(await change('reactivate')).toMatchObject({ status: 409, body: { code: 'banned_by_platform' } })
    expect(await login()).toBe(401)
    const { members } = (await boss.get('/api/org/team')).body
    expect(members.find(({ id }: { id: string }) => id === member.id).status).toBe('DEACTIVATED')
    expect((await set('ACTIVE')).body.status).toBe('ACTIVE')
    expect(await login()).toBe(200)
  })

  it('and a deactivation by the organization are two facts: lifting one leaves the other', async () => {
    const { login, set, change } = await team()
    expect((await change('deactivate')).status).toBe(200)
    await set('DEACTIVATED')
    expect((await set('ACTIVE')).body.status).toBe('DEACTIVATED')
    expect(await login()).toBe(401)
    await set('DEACTIVATED')
    await set('ACTIVE')
    expect((await change('reactivate')).body.status).toBe('ACTIVE')
    expect(await login()).toBe(200)
  })

  it('of somebody whom the organization then deactivates stays after a reactivation is refused', async () => {
    const { login, set, change } = await team()
    await set('DEACTIVATED')
    expect((await change('deactivate')).status).toBe(200)
    expect((await change('reactivate')).status).toBe(409)
    await set('ACTIVE')
    expect(await login()).toBe(401)
    expect((await change('reactivate')).status).toBe(200)
    expect(await login()).toBe(200)
  })
})
