import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'

const app = await testApp()
const owner = await app.platformOwner()
const company = async () => {
  const org = `quotas ${app.unknownId()}`
  const boss = await app.user({ org, isProven: true })
  return { boss, member: await app.user({ org }), path: `/api/admin/organizations/${boss.organizationId}/quotas` }
}
const publish = (who: { post: typeof owner.post }, count: number) =>
  Promise.all(Array.from({ length: count }, () => who.post('/api/v1/events/ingest', { event_type: 'x', payload: {} })))
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status).sort()

describe('the quotas of an organization', () => {
  it('are shown with their limits and use, changed by the platform admin, and read by its own admin', async () => {
    const { boss, member, path } = await company()
    const before = (await owner.get(path)).body.items
    expect(before.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([
        'mails',
        'mails_to_address',
        'invitations',
        'events',
        'subscriptions',
        'triggers',
        'workflows_active',
        'runs',
        'runs_at_once',
        'uploads',
        'upload_megabytes',
        'seals',
        'collections',
        'sockets',
        'open_requests',
      ]),
    )
    const saved = await owner.put(path, { limits: { events: 3, runs: 0 } })
    expect(saved).toMatchObject({ status: 200 })
    const [last, refused] = [
      await boss.post('/api/v1/events/ingest', { event_type: 'x', payload: {} }),
      await publish(boss, 5),
    ]
    expect([last.status, ...statuses(refused)]).toEqual([202, 202, 202, 429, 429, 429])
    const one = refused.find(({ status }) => status === 429)
    expect(one?.body).toMatchObject({
      code: 'quota_exceeded',
      detail: 'At most 3 events published in a minute (events).',
    })
    expect(Number(one?.headers.get('retry-after'))).toBeGreaterThan(0)
    const own = (await boss.get('/api/org/quotas')).body.items
    expect(own.find(({ name }: { name: string }) => name === 'events')).toEqual({
      name: 'events',
      what: 'events published',
      kind: 'rate',
      windowSec: 60,
      most: 3,
      source: 'scope',
      usual: 6000,
      used: 3,
    })
    expect(await member.get('/api/org/quotas')).toMatchObject({ status: 403 })
    expect(await boss.put('/api/org/quotas', { limits: { events: 0 } })).toMatchObject({ status: expect.any(Number) })
    const others = await company()
    expect(statuses(await publish(others.boss, 6))).toEqual(Array(6).fill(202))
  })

  it('come from its plan where they have none of their own, on every node', async () => {
    const { boss, path } = await company()
    await owner.patch(path.replace('/quotas', ''), { plan: 'SMALL' })
    const another = await testApp({ databaseUrl: app.databaseUrl })
    expect(await owner.put('/api/admin/plans/SMALL/quotas', { limits: { events: 1 } })).toMatchObject({ status: 200 })
    expect(statuses(await publish(boss, 3))).toEqual([202, 429, 429])
    expect((await owner.get(path)).body.items.find(({ name }: { name: string }) => name === 'events')).toMatchObject({
      most: 1,
      source: 'plan',
    })
    await another.stop()
    expect(await owner.put('/api/admin/plans/SMALL/quotas', { limits: { events: null } })).toMatchObject({
      status: 200,
    })
    expect(statuses(await publish(boss, 3))).toEqual([202, 202, 202])
  })

  it('are refused where they are none, for no organization, and to others', async () => {
    const { boss, path } = await company()
    for (const limits of [{ nothing: 1 }, { events: -1 }, { events: 1.5 }, { events: 'many' }])
      expect(await owner.put(path, { limits })).toMatchObject({ status: 422 })
    const unknown = `/api/admin/organizations/${app.unknownId()}/quotas`
    expect(await owner.put(unknown, { limits: { events: 1 } })).toMatchObject({ status: 404 })
    expect(await boss.put(path, { limits: { events: 0 } })).toMatchObject({ status: 403 })
  })

  it('refuse amounts in the transaction that adds: two tabs do not pass one', async () => {
    const { boss, path } = await company()
    await owner.put(path, { limits: { collections: 2 } })
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, at) => boss.post('/api/v1/knowledge/create', { name: `c${at}`, description: '' })),
    )
    expect(statuses(replies)).toEqual([200, 200, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'quota_reached',
      detail: 'At most 2 collections (collections).',
    })
  })

  it('are counted in the metrics, by their name', async () => {
    const { boss, path } = await company()
    await owner.put(path, { limits: { events: 1 } })
    await publish(boss, 3)
    const metrics = (await owner.get('/metrics')).text
    expect(metrics).toMatch(/chancery_quota_refusals_total\{quota="events"\} [1-9]/)
    expect(metrics).toMatch(/chancery_quota_scopes_at_limit\{quota="events"\} [1-9]/)
  })
})
