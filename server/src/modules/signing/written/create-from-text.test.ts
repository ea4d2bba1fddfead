/** A document from Markdown or HTML: pages, fields, roles, and the text as evidence. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { documentsPath } from '#test/harness/signing.ts'

const app = await testApp()
const ana = await app.user({ name: 'Ana Owner' })
const markdown = `# Offer for {{customer}}

Price: {{price}}

{{sig:Client}} {{date:client}} {{text:client:Company}}

{{sig:Seller}}`
const variables = { customer: '**Kim**', price: 12.5 }
const body = { title: 'Offer', markdown, variables }

describe('a document from text', () => {
  it('is a draft with pages, fields and a role for each name in its tags', async () => {
    const made = await ana.post(documentsPath, body)
    expect(made.status).toBe(201)
    const { id, title, state, files, recipients, fields } = made.body
    expect([title, state, files.length]).toEqual(['Offer', 'DRAFT', 1])
    expect(recipients.map(({ name, email, role }: Record<string, string>) => [name, email, role])).toEqual([
      ['Client', '', 'SIGNER'],
      ['Seller', '', 'SIGNER'],
    ])
    expect(fields.map(({ type, label }: Record<string, string>) => [type, label])).toEqual([
      ['SIGNATURE', null],
      ['DATE', null],
      ['TEXT', 'Company'],
      ['SIGNATURE', null],
    ])
    expect(new Set(fields.map(({ recipientId }: { recipientId: string }) => recipientId)).size).toBe(2)

    const original = await ana.get(`${documentsPath}/${id}/file?version=original`)
    expect(original.headers.get('content-type')).toContain('application/pdf')
    const uploaded = await ana.get(`${documentsPath}/${id}/file?version=uploaded`)
    expect(uploaded.text).toBe(markdown)
    expect(uploaded.headers.get('content-disposition')).toContain('attachment')

    const { body: audit } = await ana.get(`${documentsPath}/${id}/audit`)
    expect(audit.valid).toBe(true)
    expect(audit.entries[0]).toMatchObject({
      type: 'created',
      detail: {
        madeFrom: 'markdown',
        textSha256: createHash('sha256').update(markdown).digest('hex'),
        variables: { names: ['customer', 'price'] },
      },
    })
  })

  it("isn't sent before its roles have addresses, which are named one after the other", async () => {
    const { body: made } = await ana.post(documentsPath, body)
    const path = `${documentsPath}/${made.id}`
    const refused = await ana.post(`${path}/send`)
    expect(refused.body.code).toBe('document_not_ready')
    const [client, seller] = made.recipients
    const kim = { id: client.id, name: 'Kim', email: 'kim@example.test' }
    const first = await ana.put(`${path}/recipients`, [kim, { id: seller.id, name: seller.name, email: '' }])
    expect([first.status, first.body.fields.length]).toEqual([200, 4])
    const emptied = await ana.put(`${path}/recipients`, [
      { ...kim, email: '' },
      { id: seller.id, name: 'Sam', email: 'sam@example.test' },
    ])
    expect(emptied.status).toBe(422)
    const named = [kim, { id: seller.id, name: 'Sam', email: 'sam@example.test' }]
    expect((await ana.put(`${path}/recipients`, named)).status).toBe(200)
    expect((await ana.post(`${path}/send`)).body.state).toBe('SENT')
  })

  it('is made once for one key, and is seen by nobody else', async () => {
    const headers = { 'idempotency-key': 'text-1' }
    const send = () => ana.post(documentsPath, body, headers)
    const made = await Promise.all([send(), send()])
    expect(new Set(made.map((one) => one.body.id)).size).toBe(1)
    const eve = await app.user({ name: 'Eve' })
    expect((await eve.get(`${documentsPath}/${made[0]?.body.id}`)).status).toBe(404)
  })

  it('is refused with what is missing or wrong, and nothing stays', async () => {
    const refuse = async (more: object) => {
      const { status, body: told } = await ana.post(documentsPath, { ...body, ...more })
      return [status, told.code, told.detail.map(({ msg }: { msg: string }) => msg).join('; ')]
    }
    expect(await refuse({ variables: {} })).toEqual([
      422,
      'text_variables_missing',
      'No value for customer; No value for price',
    ])
    expect(await refuse({ html: '<p>both</p>' })).toEqual([422, 'validation_failed', expect.any(String)])
    expect(await refuse({ markdown: 'x'.repeat(200_001) })).toEqual([422, 'validation_failed', expect.any(String)])
    expect(await refuse({ markdown: undefined, html: '<img src=x>' })).toEqual([
      422,
      'text_elements_refused',
      "Can't be in a document: img",
    ])
    expect(await refuse({ markdown: '{{seal:x}}' })).toEqual([
      422,
      'text_tags_unknown',
      'Neither a variable nor a field: seal:x',
    ])
    const { body: list } = await ana.get(`${documentsPath}?search=nothing`)
    expect(list.data).toEqual([])
  })

  it('can be looked at before it is made', async () => {
    const source = { text: markdown, variables }
    const reply = await ana.post('/api/signing/text/preview', source)
    expect([reply.status, reply.headers.get('content-type'), reply.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ])
    expect((await app.anonymous.post('/api/signing/text/preview', source)).status).toBe(401)
  })
})
