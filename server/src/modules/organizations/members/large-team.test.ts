/** A company of more people than any list used to hold. */
import { describe, expect, it } from 'vitest'
import { addInvitations, addMembers } from '#test/harness/many-members.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const org = `org ${app.unknownId()}`
const boss = await app.user({ org, name: 'Zoe Zimmer' })
const colleague = await app.user({ org, name: 'Yan_Young' })
await addMembers(app.db, boss.organizationId)
await addMembers(app.db, boss.organizationId, { count: 7, name: 'Gone', isActive: false })
await addInvitations(app.db, boss.organizationId)

const path = '/api/org/team'
const namesOf = ({ body }: { body: { members: { name: string }[] } }) => body.members.map(({ name }) => name)

describe('a team of more than 5,000', () => {
  it('is listed whole, its only administrator and its invitations too', async () => {
    const { body } = await boss.get(path)
    expect(body.members).toHaveLength(5109)
    expect(body.members.at(-1)).toMatchObject({ id: boss.id, role: 'ROLE_ORG_ADMIN' })
    expect(body.invitations).toHaveLength(5100)
    expect(body.totals).toEqual({ members: 5109, invitations: 5100 })
  })

  it('is read page by page, each person once, with totals', async () => {
    const ids = new Set<string>()
    for (let page = 1; page <= 26; page += 1) {
      const { body } = await boss.get(`${path}?page=${page}&limit=200&show=members`)
      expect(body).toMatchObject({ invitations: [], totals: { members: 5109, invitations: 0 } })
      for (const { id } of body.members) ids.add(id)
    }
    expect(ids.size).toBe(5109)
    const { body: last } = await boss.get(`${path}?page=51&limit=100&show=invitations`)
    expect(last).toMatchObject({ members: [], totals: { invitations: 5100 } })
    expect(last.invitations.at(-1)).toMatchObject({ email: 'x05100@crowd.test' })
    expect((await boss.get(`${path}?page=999&limit=10`)).body.members).toEqual([])
  })

  it('is searched by name and email, ordered, and asked for people by id', async () => {
    expect(namesOf(await boss.get(`${path}?search=zoe%20zim&limit=5`))).toEqual(['Zoe Zimmer'])
    expect(namesOf(await boss.get(`${path}?search=${colleague.email}`))).toEqual(['Yan_Young'])
    expect(namesOf(await boss.get(`${path}?search=n_y`))).toEqual(['Yan_Young'])
    expect((await boss.get(`${path}?search=x0510&limit=5`)).body.totals).toEqual({ members: 0, invitations: 1 })
    expect(namesOf(await boss.get(`${path}?sort=-name&limit=2`))).toEqual(['Zoe Zimmer', 'Yan_Young'])
    expect(namesOf(await boss.get(`${path}?sort=role&limit=1`))).toEqual(['Zoe Zimmer'])
    expect(namesOf(await boss.get(`${path}?ids=${boss.id},${app.unknownId()}`))).toEqual(['Zoe Zimmer'])
  })

  it('shows a plain member active colleagues only, on every page', async () => {
    expect((await colleague.get(`${path}?limit=1`)).body.totals).toEqual({ members: 5102, invitations: 0 })
    expect((await colleague.get(`${path}?search=Gone`)).body.members).toEqual([])
    const { body } = await colleague.get(`${path}?search=Zoe&show=invitations`)
    expect(body).toEqual({ members: [], invitations: [], totals: { members: 0, invitations: 0 } })
  })

  it.each(['page=0', 'limit=201', 'limit=x', 'ids=1', 'ids=', 'sort=email', 'show=all', 'search=a&search=b'])(
    'refuses %s',
    async (query) => {
      expect(await boss.get(`${path}?${query}`)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    },
  )

  it('gives nobody of another organization, whatever is asked for', async () => {
    const stranger = await app.user({ org: `org ${app.unknownId()}` })
    expect((await stranger.get(`${path}?ids=${boss.id}`)).body.members).toEqual([])
    expect(namesOf(await stranger.get(`${path}?search=%25`))).toEqual([])
  })
})
