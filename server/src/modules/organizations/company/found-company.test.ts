import { describe, expect, it } from 'vitest'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const register = (companyName: string) => {
  const email = `founder.${app.unknownId()}@example.test`
  return app.newcomer().post('/api/auth/register-company', { companyName, name: 'Founder', email, password })
}

describe('companies of one name', () => {
  it('both exist, with codes of their own', async () => {
    const first = await register('Same Name')
    const second = await register('Same Name')
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.organization.code).toBe('same-name')
    expect(second.body.organization.code).toMatch(/^same-name-\d{6}$/)
  })

  it('all exist when ten register at the same moment', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => register('Rush Hour')))
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(new Set(replies.map(({ body }) => body.organization.code)).size).toBe(10)
  })
})

describe('the own organization', () => {
  it('is 404 for somebody without one', async () => {
    const ana = await app.user()
    expect(await ana.get('/api/org/me')).toMatchObject({ status: 404, body: { code: 'no_organization' } })
  })

  it('is the same for its members, and another for others', async () => {
    const [boss, member, stranger] = [
      await app.user({ org: 'ours' }),
      await app.user({ org: 'ours' }),
      await app.user({ org: 'theirs' }),
    ]
    expect((await member.get('/api/org/me')).body).toEqual((await boss.get('/api/org/me')).body)
    expect((await boss.get('/api/org/me')).body).toMatchObject({ id: boss.organizationId, memberCount: 2 })
    expect((await stranger.get('/api/org/me')).body.id).toBe(stranger.organizationId)
  })
})
