/** Documents when a platform admin deletes their owner. */
import { describe, expect, it } from 'vitest'
import { sharedApp } from '#test/harness/shared-app.ts'
import { documentsPath as base, sendDraft, type Visitor, visitorsOf } from '#test/harness/signing.ts'

const app = await sharedApp()
const operator = await app.platformOwner()
const remove = (id: string, transferTo?: string) =>
  operator.send('DELETE', `/api/admin/users/${id}`, {
    ...(transferTo !== undefined && {
      body: JSON.stringify({ transferTo }),
      headers: { 'content-type': 'application/json' },
    }),
  })

describe('deleting the owner of a document', () => {
  it('hands it to the heir, who is told how it ends', async () => {
    const [ana, ben] = [await app.user(), await app.user({ name: 'Ben Heir', isProven: true })]
    const sent = await sendDraft(ana)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    expect((await remove(ana.id, ben.id)).status).toBe(204)
    expect((await ben.get(`${base}/${sent.id}`)).body.owner).toEqual({ id: ben.id, name: 'Ben Heir' })
    await visitor.sign()
    expect((await app.letterTo(ben.email)).subject).toBe('Completed: “Lease”')
  })

  it('forgets whether a model may read their documents', async () => {
    const alone = await app.user({ isProven: true })
    const updatedAt = app.clock.now()
    await app.db.insertInto('signingAi').values({ scopeId: alone.id, enabled: false, model: null, updatedAt }).execute()
    expect((await remove(alone.id)).status).toBe(204)
    expect(await app.db.selectFrom('signingAi').selectAll().where('scopeId', '=', alone.id).execute()).toEqual([])
  })

  it('cancels what is still being signed where there is no heir, and leaves the evidence to the organization', async () => {
    const boss = await app.user({ org: 'left behind' })
    const member = await app.user({ org: 'left behind', isProven: true })
    const sent = await sendDraft(member)
    const [visitor] = (await visitorsOf(app, sent)) as [Visitor]
    expect((await remove(member.id)).status).toBe(204)
    expect((await boss.get(`${base}/${sent.id}`)).body.state).toBe('CANCELLED')
    expect((await app.letterTo(visitor.email, 2)).subject).toBe('Cancelled: “Lease”')
    expect((await boss.get(`${base}/${sent.id}/audit`)).body.valid).toBe(true)
  })
})
