/** A demo beside another company: what its people see, and that nothing of it is left once it is removed. */
import { expect, it } from 'vitest'
import { rowCounts } from '#test/access/row-counts.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'
import { makeDraft } from '#test/harness/signing.ts'
import { until } from '#test/kernel/until.ts'

const app = await testApp()

/** The servers' own books, and what all organizations share. */
const kept = [
  'live_nodes',
  'login_failures',
  'seal_certificates',
  'shared_copies',
  'shared_copy_keys',
  'status_samples',
  'subscription_log',
]
const counts = async () =>
  Object.fromEntries(Object.entries(await rowCounts(app)).filter(([table]) => !kept.includes(table)))
const month = { invoices: 14, nights: 1 }

it('fills the instance with a company that looks lived in, once, and removes all of it and nothing else', async () => {
  const owner = await app.user({ org: 'acme' })
  await makeDraft(owner)
  const before = await counts()

  const { password, people } = await app.demo.fill({
    address: app.url,
    month,
  })

  const [first] = people
  const { body } = await app.newcomer().post('/api/auth/login', { email: first?.email, password })
  const maya = createClient(app.url, bearer(body.token))
  const read = async (path: string) => (await maya.get(path)).body
  const documents = (await read('/api/signing/documents')).data
  expect(new Set(documents.map(({ state }: { state: string }) => state))).toEqual(
    new Set(['DRAFT', 'SENT', 'COMPLETED', 'DECLINED', 'CANCELLED']),
  )
  expect((await read('/api/signing/inbox')).data.length).toBeGreaterThan(0)
  expect((await read('/api/v1/agent-runs?status=failed')).data.length).toBeGreaterThan(0)
  expect((await read('/api/v1/approvals')).total).toBeGreaterThan(0)
  expect((await read('/api/v1/usage?scope=organization')).total.requests).toBeGreaterThan(1000)
  await expect(app.demo.fill({ address: app.url })).rejects.toThrow('The demo is here already.')

  await app.demo.remove(app.url)

  await until(async () => (await counts()).unowned_blobs === 0, 'the deletion of all files')
  expect(await counts()).toEqual(before)
  await expect(app.demo.remove(app.url)).rejects.toThrow('There is no demo here.')
}, 120_000)
