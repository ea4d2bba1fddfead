import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import type { Person } from '#test/harness/people.ts'
import { documentsPath, makeDraft, pdfOf, sendForm } from '#test/harness/signing.ts'

const app = await testApp({ env: { SVC_PERSON_DOCUMENTS_PER_MONTH: '2', SVC_PERSON_STORAGE_MB: '1' } })

const quotaOf = async (person: Person) => (await person.get('/api/me/quota')).body
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).toSorted()

/** So many bytes that two of them fill a mebibyte, and three don't fit. */
const half = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> /Contents 4 0 R >>',
  `<< /Length 450000 >>
stream
${' '.repeat(450_000)}
endstream`,
])
const upload = (person: Person) =>
  sendForm(person, '/api/v1/files/?process=false', {
    files: [{ name: 'notes.txt', bytes: Buffer.alloc(450_000, 'x') }],
  })
const createDocument = (person: Person) => sendForm(person, documentsPath, { files: [{ name: 'a.pdf', bytes: half }] })

describe('the quota of a person without an organization', () => {
  it('stops documents at its limit, exactly, however many are sent at once', async () => {
    const ana = await app.user()
    const drafts = []
    for (let count = 0; count < 5; count += 1) drafts.push(await makeDraft(ana))
    const replies = await Promise.all(drafts.map(({ id }) => ana.post(`${documentsPath}/${id}/send`)))
    expect(statuses(replies)).toEqual([200, 200, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('plan_limit_reached')
    expect((await quotaOf(ana)).documents).toMatchObject({ used: 2, limit: 2 })
  })

  it('is one count of bytes for files and documents, exact when both come at once', async () => {
    const bob = await app.user()
    expect((await quotaOf(bob)).storage).toEqual({ used: 0, limit: 1_048_576 })
    const replies = await Promise.all([upload(bob), createDocument(bob), upload(bob), createDocument(bob)])
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.code)).toEqual(['plan_limit_reached', 'plan_limit_reached'])
    const { used, limit } = (await quotaOf(bob)).storage
    expect(used).toBeGreaterThanOrEqual(900_000)
    expect(used).toBeLessThanOrEqual(limit)
    const [first] = (await bob.get(documentsPath)).body.data
    if (first)
      expect(
        (await sendForm(bob, `${documentsPath}/${first.id}/files`, { files: [{ name: 'b.pdf', bytes: half }] })).status,
      ).toBe(409)
  })

  it("is that of the organization for its members, and one person's never counts for another", async () => {
    const boss = await app.user({ org: 'shared storage' })
    await (await app.platformOwner()).patch(`/api/admin/organizations/${boss.organizationId}`, {
      limits: { storageBytes: 1_000_000, documentsPerMonth: 7 },
    })
    const member = await app.user({ org: 'shared storage' })
    expect(statuses([await upload(boss), await createDocument(member), await upload(member)])).toEqual([200, 201, 409])
    const quota = await quotaOf(member)
    expect(quota).toMatchObject({ documents: { used: 0, limit: 7 }, storage: { limit: 1_000_000 } })
    expect((await boss.get('/api/org/me')).body.usage.storageBytes).toBe(quota.storage.used)
    expect((await quotaOf(await app.user())).storage.used).toBe(0)
  })
})
