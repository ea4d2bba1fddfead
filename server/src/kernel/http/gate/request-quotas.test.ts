/** What one account may have open, and one tenant upload. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { uploadText } from '#test/harness/files.ts'
import { until } from '#test/kernel/until.ts'

const app = await testApp()
const owner = await app.platformOwner()
const company = async (limits: Record<string, number>) => {
  const org = `quotas ${app.unknownId()}`
  const [boss, colleague] = [await app.user({ org }), await app.user({ org })]
  const path = `/api/admin/organizations/${boss.organizationId}/quotas`
  expect(await owner.put(path, { limits })).toMatchObject({ status: 200 })
  return { boss, colleague }
}

describe('an account', () => {
  it('has so many requests open on a node; the next gets in when one has ended, and a colleague at once', async () => {
    const { boss, colleague } = await company({ open_requests: 2 })
    const open = async () => {
      const ending = new AbortController()
      const reply = await fetch(`${app.url}/api/v1/events/stream`, {
        headers: { authorization: `Bearer ${boss.token}` },
        signal: ending.signal,
      })
      return { status: reply.status, end: () => ending.abort() }
    }
    const held = [await open(), await open()]
    expect(held.map(({ status }) => status)).toEqual([200, 200])
    const refused = await boss.get('/api/org/me')
    expect(refused).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } })
    expect(refused.body.detail).toContain('open_requests')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await colleague.get('/api/org/me')).status).toBe(200)
    held[0]?.end()
    await until(async () => (await boss.get('/api/org/me')).status === 200)
    held[1]?.end()
  })
})

describe('a tenant', () => {
  it('uploads so many files in an hour, by all its people, and so many megabytes', async () => {
    const { boss, colleague } = await company({ uploads: 2 })
    expect((await uploadText(boss, 'one')).status).toBe(200)
    expect((await uploadText(colleague, 'two')).status).toBe(200)
    expect(await uploadText(boss, 'three')).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } })
    const other = await company({ upload_megabytes: 1 })
    expect((await uploadText(other.boss, 'one')).status).toBe(200)
    expect(await uploadText(other.boss, 'two')).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } })
  })
})
