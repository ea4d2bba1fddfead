import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const team = async () => {
  const org = `org ${app.unknownId()}`
  return { boss: await app.user({ org }), member: await app.user({ org }) }
}

describe.each(['groups', 'departments'])('%s', (kind) => {
  const base = `/api/org/${kind}`

  it('are made, read, renamed, filled and dissolved', async () => {
    const { boss, member } = await team()
    const made = await boss.post(base, { name: '  Sales ', memberIds: [member.id, member.id.toUpperCase()] })
    expect(made).toMatchObject({ status: 201, body: { name: 'Sales', memberIds: [member.id] } })
    const { id } = made.body
    expect(await member.get(`${base}/${id}`)).toMatchObject({ status: 200, body: made.body })
    expect((await member.get(base)).body).toEqual({ items: [made.body], total: 1 })

    expect((await boss.patch(`${base}/${id}`, { name: 'SALES' })).body).toMatchObject({ name: 'SALES' })
    const filled = await boss.patch(`${base}/${id}`, { memberIds: [boss.id, member.id] })
    expect(filled.body.memberIds.sort()).toEqual([boss.id, member.id].sort())
    expect((await boss.patch(`${base}/${id}`, { memberIds: [] })).body).toMatchObject({ name: 'SALES', memberIds: [] })

    expect(await boss.delete(`${base}/${id}`)).toMatchObject({ status: 204 })
    expect(await boss.delete(`${base}/${id}`)).toMatchObject({ status: 404, body: { code: 'unit_not_found' } })
    expect((await boss.get(base)).body).toEqual({ items: [], total: 0 })
    expect(await member.get('/api/auth/me')).toMatchObject({ status: 200 })
  })

  it('share no name whatever its case, but each organization and kind has its own', async () => {
    const [ours, theirs] = [await team(), await team()]
    const taken = { status: 409, body: { code: 'name_taken' } }
    expect(await ours.boss.post(base, { name: 'ÄRZTE' })).toMatchObject({ status: 201 })
    expect(await ours.boss.post(base, { name: 'ärzte' })).toMatchObject(taken)
    expect(await ours.boss.post(base, { name: 'A\u0308rzte' })).toMatchObject(taken)
    expect(await theirs.boss.post(base, { name: 'ärzte' })).toMatchObject({ status: 201 })
    const otherKind = kind === 'groups' ? 'departments' : 'groups'
    expect(await ours.boss.post(`/api/org/${otherKind}`, { name: 'ärzte' })).toMatchObject({ status: 201 })
    const second = (await ours.boss.post(base, { name: 'Second' })).body
    expect(await ours.boss.patch(`${base}/${second.id}`, { name: 'Ärzte' })).toMatchObject(taken)
    expect(await ours.boss.patch(`${base}/${second.id}`, { name: 'SECOND' })).toMatchObject({ status: 200 })
  })

  it('of one name are one when ten are made at the same moment', async () => {
    const { boss } = await team()
    const replies = await Promise.all(Array.from({ length: 10 }, () => boss.post(base, { name: 'Rush' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  it('hold people of the own organization only', async () => {
    const [ours, theirs, loner] = [await team(), await team(), await app.user()]
    const { id } = (await ours.boss.post(base, { name: 'Ours', memberIds: [ours.member.id] })).body
    for (const foreign of [theirs.member.id, loner.id, app.unknownId()]) {
      const memberIds = [ours.boss.id, foreign]
      const notFound = { status: 404, body: { code: 'member_not_found' } }
      expect(await ours.boss.post(base, { name: `With ${foreign}`, memberIds })).toMatchObject(notFound)
      expect(await ours.boss.patch(`${base}/${id}`, { name: 'New', memberIds })).toMatchObject(notFound)
    }
    expect((await ours.boss.get(base)).body.items).toMatchObject([{ name: 'Ours', memberIds: [ours.member.id] }])
  })

  it('are changed by administrators of their own organization only', async () => {
    const [ours, theirs] = [await team(), await team()]
    const { id } = (await ours.boss.post(base, { name: 'Private matters' })).body
    const notFound = { status: 404, body: { code: 'unit_not_found' } }
    for (const reply of [
      await theirs.boss.get(`${base}/${id}`),
      await theirs.boss.patch(`${base}/${id}`, { name: 'Mine' }),
      await theirs.boss.delete(`${base}/${id}`),
    ]) {
      expect(reply).toMatchObject(notFound)
      expect(reply.text).not.toContain('Private')
    }
    expect(await ours.member.post(base, { name: 'x' })).toMatchObject({ status: 403 })
    expect(await ours.member.patch(`${base}/${id}`, { name: 'x' })).toMatchObject({ status: 403 })
    expect(await ours.member.delete(`${base}/${id}`)).toMatchObject({ status: 403 })
    expect((await theirs.boss.get(base)).body.total).toBe(0)
  })

  it('are not found at the other address', async () => {
    const { boss } = await team()
    const { id } = (await boss.post(base, { name: 'One' })).body
    const otherBase = kind === 'groups' ? '/api/org/departments' : '/api/org/groups'
    expect(await boss.get(`${otherBase}/${id}`)).toMatchObject({ status: 404 })
    expect(await boss.delete(`${otherBase}/${id}`)).toMatchObject({ status: 404 })
    expect(await boss.get(`${base}/${id}`)).toMatchObject({ status: 200 })
  })

  it('do not exist for somebody without an organization', async () => {
    const ana = await app.user()
    expect(await ana.get(base)).toMatchObject({ status: 404, body: { code: 'no_organization' } })
    expect(await ana.get(`${base}/${app.unknownId()}`)).toMatchObject({ status: 404, body: { code: 'unit_not_found' } })
  })
})
