/** A model drafts a contract, a person sends it, it is signed and sealed; and a workflow sends a text by itself. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { finished, runWhere, startByHand } from '#test/harness/runs.ts'
import { documentsPath, visitorOf } from '#test/harness/signing.ts'
import { edge, makePublished, node } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'
import { startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await testApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const ana = await app.user({ name: 'Ana Owner' })
const markdown = '# Offer for {{customer}}\n\n{{price}} a month.\n\n{{sig:Customer}} {{date:Customer}}'

/** What the tool told the model. */
const drafted = async (args: Record<string, unknown>) => {
  provider.script({ toolCalls: [{ name: 'draft_document', arguments: args }] }, { text: 'Done.' })
  const body = {
    model: 'swift',
    messages: [{ role: 'user', content: 'Write an offer.' }],
    tool_ids: ['builtin:draft_document'],
  }
  expect((await ana.post('/api/chat/completions', body)).status).toBe(200)
  return String(provider.calls().at(-1)?.body.messages.at(-1).content)
}

describe('the tool draft_document', () => {
  it('makes a draft that a person sends, and the signed file is sealed and verified', async () => {
    const email = 'kim.drafted@example.test'
    const variables = { customer: 'Kim', price: 12 }
    const recipients = [{ role: 'customer', name: 'Kim', email }]
    const told = JSON.parse(await drafted({ title: 'Offer', markdown, variables, recipients }))
    expect(told).toMatchObject({ state: 'DRAFT', recipients: [{ name: 'Kim', email }], fields: 2 })
    expect(app.lettersTo(email)).toEqual([])

    const path = `${documentsPath}/${told.document_id}`
    expect((await ana.post(`${path}/send`)).body.state).toBe('SENT')
    const visitor = await visitorOf(app, email)
    expect((await visitor.sign()).status).toBe(200)
    await until(async () => (await ana.get(path)).body.state === 'COMPLETED')

    const sealed = await fetch(`${app.url}${path}/file?version=sealed`, { headers: bearer(ana.token) })
    const form = new FormData()
    form.append('file', await sealed.blob(), 'offer.pdf')
    const verdict = await (await fetch(`${app.url}/api/public/verify`, { method: 'POST', body: form })).json()
    expect(verdict).toMatchObject({ intact: true, sealedHere: true })
    const { body: audit } = await ana.get(`${path}/audit`)
    expect(audit.entries[0]).toMatchObject({ type: 'created', detail: { madeFrom: 'markdown' } })
  })

  it('tells the model what is missing, and makes nothing', async () => {
    expect(await drafted({ title: 'Nothing', markdown })).toContain('No value for customer')
    expect((await ana.get(`${documentsPath}?search=Nothing`)).body.data).toEqual([])
  })
})

describe('the node signature with a text', () => {
  const config = (email: string) => ({
    markdown,
    title: 'Order {{ input.order }}',
    recipients: [{ role: 'Customer', name: 'Kim', email }],
    values: { customer: '{{ input.customer }}', price: '{{ input.price }}' },
  })
  const graph = (settings: Record<string, unknown>) => ({
    nodes: [node('sign', settings, 'signature'), node('done')],
    edges: [edge('sign', 'done', 'completed')],
  })

  it('sends it with values of the run, once, and goes on when it is signed', async () => {
    const email = 'kim.node@example.test'
    const { id } = await makePublished(ana, graph(config(email)))
    const { body } = await startByHand(ana, id, { order: 7, customer: 'Kim', price: 3 })
    const visitor = await visitorOf(app, email)
    await runWhere(ana, body.id, ({ status }) => status === 'waiting')
    await visitor.sign()
    expect(await finished(ana, body.id)).toMatchObject({ status: 'succeeded' })
    const { body: list } = await ana.get(`${documentsPath}?search=Order 7`)
    expect(list.data).toMatchObject([{ title: 'Order 7', state: 'COMPLETED' }])
  })

  it('fails in words where nobody was named for a role', async () => {
    const { id } = await makePublished(ana, graph({ ...config('x@example.test'), recipients: [] }))
    const { body } = await startByHand(ana, id, { order: 8, customer: 'Kim', price: 3 })
    expect((await finished(ana, body.id)).error).toContain('Nobody was named for the role Customer')
  })
})
