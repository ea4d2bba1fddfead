import { describe, expect, it } from 'vitest'
import type { Reply } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { documentsPath, makeDraft, sendForm } from '#test/harness/signing.ts'

const app = await sharedApp()
const base = '/api/signing/templates'

const makeTemplate = async (owner: Person) => {
  const { id, recipients } = await makeDraft(owner)
  const roles = [{ recipientId: recipients[0]?.id, name: 'Customer' }]
  return (await owner.post(base, { documentId: id, roles })).body
}

const named = (key: string) => ({ 'idempotency-key': key })
const ids = (replies: readonly Reply[]) => new Set(replies.map(({ body }) => body.id))

/** The requests that make something, with a name. */
const doors = {
  create: async (who: Person) => (key: string) => sendForm(who, documentsPath, {}, named(key)),
  template: async (who: Person) => {
    const { id: documentId } = await makeDraft(who)
    return (key: string) => who.post(base, { documentId }, named(key))
  },
  use: async (who: Person) => {
    const { id, recipients } = await makeTemplate(who)
    const email = `kim.${id}@example.test`
    const body = { recipients: [{ roleId: recipients[0].id, name: 'Kim', email }], send: true }
    return (key: string) => who.post(`${base}/${id}/use`, body, named(key))
  },
  bulk: async (who: Person) => {
    const { id } = await makeTemplate(who)
    const bytes = Buffer.from(`Customer name,Customer email\nKim,kim.${id}@example.test\n`)
    return (key: string) => sendForm(who, `${base}/${id}/bulk`, { files: [{ name: 'a.csv', bytes }] }, named(key))
  },
}

describe.each(Object.keys(doors) as (keyof typeof doors)[])(
  'a repeated request to %s with an Idempotency-Key',
  (door) => {
    it('gets what the first made, also at the same moment, and another name makes another', async () => {
      const ana = await app.user()
      const ask = await doors[door](ana)
      const together = await Promise.all([ask('one'), ask('one'), ask('one')])
      const again = await ask('one')
      expect(ids([...together, again]).size).toBe(1)
      expect(new Set([...together, again].map(({ status }) => status)).size).toBe(1)
      expect(ids([again, await ask('two')]).size).toBe(2)
      expect((await ask('x'.repeat(201))).status).toBe(422)
    })

    it("is another's own request under the same name", async () => {
      const asks = [await doors[door](await app.user()), await doors[door](await app.user())]
      expect(ids(await Promise.all(asks.map((ask) => ask('one')))).size).toBe(2)
    })
  },
)

describe('a request with an Idempotency-Key that was refused', () => {
  it('leaves the name free', async () => {
    const ana = await app.user()
    const files = [{ name: 'a.pdf', bytes: Buffer.from('no PDF') }]
    expect((await sendForm(ana, documentsPath, { files }, named('again'))).status).toBe(415)
    expect((await sendForm(ana, documentsPath, {}, named('again'))).status).toBe(201)
  })

  it('sends one mail for a template that was used twice', async () => {
    const ana = await app.user()
    const ask = await doors.use(ana)
    const { body } = await ask('mail')
    await ask('mail')
    await app.letterTo(body.recipients[0].email)
    expect(app.lettersTo(body.recipients[0].email)).toHaveLength(1)
  })
})

it('a template that is used and sent to tables at the same moment is in nobody’s way', async () => {
  const ana = await app.user({ isProven: true })
  const { id, recipients } = await makeTemplate(ana)
  const use = (email: string) =>
    ana.post(`${base}/${id}/use`, { recipients: [{ roleId: recipients[0].id, name: 'Kim', email }], send: true })
  const send = (email: string) => {
    const bytes = Buffer.from(`Customer name,Customer email\nKim,${email}\n`)
    return sendForm(ana, `${base}/${id}/bulk`, { files: [{ name: 'a.csv', bytes }] })
  }
  const people = [1, 2, 3, 4].map((one) => `${one}.${id}@example.test`)
  const replies = await Promise.all(people.flatMap((email) => [use(`use.${email}`), send(`send.${email}`)]))
  expect(replies.map(({ status }) => status)).toEqual(people.flatMap(() => [201, 202]))
})
