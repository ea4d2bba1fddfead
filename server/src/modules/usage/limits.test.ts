import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'

const app = await testApp()
const base = '/api/v1/usage/limits'
const owner = await app.platformOwner()

const company = async () => {
  const org = `Org ${app.unknownId()}`
  const boss = await app.user({ org })
  const member = await app.user({ org, name: 'Mia Member' })
  const group = (await boss.post('/api/org/groups', { name: 'Writers', memberIds: [member.id] })).body
  const department = (await boss.post('/api/org/departments', { name: 'Sales' })).body
  const key = (await member.post('/api/v1/api-keys', { name: 'Mia’s key' })).body
  return { boss, member, group, department, key, organizationId: boss.organizationId }
}
const limit = (
  by: Pick<Person, 'post'>,
  subject_type: string,
  subject_id?: string | null,
  caps: object = { tokens_per_day: 5 },
) => by.post(base, { subject_type, ...(subject_id !== undefined && { subject_id }), ...caps })

it('an administrator sets, changes, lists and lifts limits of their people, groups and keys', async () => {
  const { boss, member, group, key } = await company()
  const made = [
    await limit(boss, 'user', member.id, { requests_per_minute: 10 }),
    await limit(boss, 'group', group.id, { tokens_per_day: 1000 }),
    await limit(boss, 'key', key.id, { tokens_per_month: 5000 }),
  ]
  expect(made.map(({ status, body }) => [status, body.subject_name, body.set_by])).toEqual([
    [201, 'Mia Member', 'organization'],
    [201, 'Writers', 'organization'],
    [201, 'Mia’s key', 'organization'],
  ])
  const { id } = made[0]?.body ?? {}
  expect(await boss.patch(`${base}/${id}`, { tokens_per_day: 7 })).toMatchObject({
    status: 200,
    body: { requests_per_minute: 10, tokens_per_day: 7, tokens_per_month: null },
  })
  expect((await boss.get(base)).body).toMatchObject({ total: 3, items: [{ id }, {}, {}] })
  expect((await boss.get(`${base}?search=writ`)).body.items).toMatchObject([{ subject_name: 'Writers' }])
  expect(await boss.delete(`${base}/${id}`)).toMatchObject({ status: 204 })
  expect((await boss.get(base)).body.total).toBe(2)
})

it('a platform owner limits everyone, organizations and single people', async () => {
  const { member, organizationId } = await company()
  const everyone = await limit(owner, 'everyone', undefined, { tokens_per_month: 1_000_000_000 })
  expect(everyone).toMatchObject({ status: 201, body: { subject_id: null, subject_name: 'Everyone' } })
  expect(await limit(owner, 'everyone')).toMatchObject({ status: 409, body: { code: 'limit_exists' } })
  expect(await limit(owner, 'organization', organizationId)).toMatchObject({
    status: 201,
    body: { set_by: 'platform' },
  })
  expect(await limit(owner, 'user', member.id)).toMatchObject({ status: 201 })
  await owner.delete(`${base}/${everyone.body.id}`)
})

it('an administrator may not limit everyone or the organization as such, nor lift what the platform set', async () => {
  const { boss, member, organizationId } = await company()
  expect(await limit(boss, 'everyone')).toMatchObject({ status: 403 })
  expect(await limit(boss, 'organization', organizationId)).toMatchObject({ status: 403 })
  const platform = [
    (await limit(owner, 'organization', organizationId)).body,
    (await limit(owner, 'user', member.id)).body,
  ]
  for (const { id } of platform) {
    expect(await boss.patch(`${base}/${id}`, { tokens_per_day: 1_000_000 })).toMatchObject({ status: 403 })
    expect(await boss.delete(`${base}/${id}`)).toMatchObject({ status: 403 })
  }
  expect((await boss.get(base)).body.items.map((item: { id: string }) => item.id)).toEqual(platform.map(({ id }) => id))
  expect(await limit(boss, 'user', member.id, { tokens_per_day: 3 })).toMatchObject({ status: 201 })
})

it('foreign subjects and foreign limits look like those that never were', async () => {
  const [ours, theirs] = await Promise.all([company(), company()])
  const loner = await app.user()
  const foreign = [
    ['user', theirs.member.id],
    ['user', loner.id],
    ['group', theirs.group.id],
    ['group', ours.department.id],
    ['key', theirs.key.id],
    ['user', app.unknownId()],
    ['group', ours.member.id],
  ] as const
  for (const [type, id] of foreign)
    expect(await limit(ours.boss, type, id)).toMatchObject({ status: 404, body: { code: 'limit_subject_not_found' } })
  expect(await limit(owner, 'organization', app.unknownId())).toMatchObject({ status: 404 })

  const { id } = (await limit(theirs.boss, 'user', theirs.member.id)).body
  for (const unreachable of [id, app.unknownId(), 'no-uuid'])
    for (const reply of [
      await ours.boss.patch(`${base}/${unreachable}`, { tokens_per_day: 9 }),
      await ours.boss.delete(`${base}/${unreachable}`),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'limit_not_found' } })
  expect((await ours.boss.get(base)).body.total).toBe(0)
})

it('is closed to people who administer nothing', async () => {
  const { member } = await company()
  for (const person of [member, await app.user()]) {
    expect(await person.get(base)).toMatchObject({ status: 403 })
    expect(await limit(person, 'user', person.id)).toMatchObject({ status: 403 })
  }
})

it('refuses limits that say nothing or name the wrong subject', async () => {
  const { boss, member } = await company()
  const bad = [
    [boss, 'user', member.id, {}],
    [boss, 'user', member.id, { tokens_per_day: null }],
    [boss, 'user', member.id, { tokens_per_day: 0 }],
    [boss, 'user', member.id, { tokens_per_day: 1.5 }],
    [boss, 'user', undefined, { tokens_per_day: 5 }],
    [boss, 'user', null, { tokens_per_day: 5 }],
    [owner, 'everyone', member.id, { tokens_per_day: 5 }],
    [boss, 'department', member.id, { tokens_per_day: 5 }],
  ] as const
  for (const [by, type, id, caps] of bad) expect(await limit(by, type, id, caps)).toMatchObject({ status: 422 })
  const { id } = (await limit(boss, 'user', member.id)).body
  expect(await boss.patch(`${base}/${id}`, { tokens_per_day: null })).toMatchObject({ status: 422 })
})

it('of twenty who set the same limit at once, one does', async () => {
  const { boss, member } = await company()
  const replies = await Promise.all(Array.from({ length: 20 }, () => limit(boss, 'user', member.id)))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
})

it('a dissolved group takes its limit with it', async () => {
  const { boss, group } = await company()
  await limit(boss, 'group', group.id)
  await boss.delete(`/api/org/groups/${group.id}`)
  expect(await app.db.selectFrom('usageLimits').selectAll().where('subjectId', '=', group.id).execute()).toEqual([])
})

it('writes into the audit log who set which limit', async () => {
  const { boss, member } = await company()
  const { id } = (await limit(boss, 'user', member.id)).body
  await boss.patch(`${base}/${id}`, { tokens_per_day: 8 })
  await boss.delete(`${base}/${id}`)
  const { body } = await owner.get(`/api/admin/audit?search=${id}`)
  expect(body.items.map((item: { action: string }) => item.action)).toEqual([
    'usage.lift_limit',
    'usage.change_limit',
    'usage.set_limit',
  ])
})
