/** One product: an order starts a workflow, the workflow sends a contract, waits for the signature and goes on. */
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { finished, runWhere } from '#test/harness/runs.ts'
import { documentsPath, makeDraft, visitorOf } from '#test/harness/signing.ts'
import { edge, makePublished, node, workflowsPath } from '#test/harness/workflows.ts'

const app = await testApp()
const ana = await app.user({ name: 'Ana Owner' })

const makeTemplate = async (owner = ana) => {
  const draft = await makeDraft(owner, { title: 'Order contract', recipients: [{}] })
  const roles = [{ recipientId: draft.recipients[0]?.id, name: 'Customer' }]
  return (await owner.post('/api/signing/templates', { documentId: draft.id, roles })).body.id as string
}
const send = (config: Record<string, unknown>) =>
  node('send', { tool: 'builtin:signing', retry: { max_attempts: 1 }, arguments: config }, 'tool')
const start = async (graph: Parameters<typeof makePublished>[1], event: object) => {
  const { id } = await makePublished(ana, graph)
  const { body } = await ana.post(`${workflowsPath}/${id}/runs`, { event })
  return body.id as string
}

describe('the tool send_for_signature', () => {
  it('lets a workflow send a contract, wait for its completion and go on with the document', async () => {
    const templateId = await makeTemplate()
    const email = `buyer.${templateId}@example.test`
    const graph = {
      nodes: [
        send({
          template_id: templateId,
          title: 'Contract for {{ _event.payload.item }}',
          recipients: [{ role: 'Customer', name: 'Kim', email: '{{ _event.payload.email }}' }],
          correlation_id: '{{ _event.correlation_id }}',
        }),
        node('signed', { event_type: 'document_completed' }, 'wait'),
      ],
      edges: [edge('send', 'signed')],
    }
    const event = { event_type: 'order_placed', correlation_id: 'order-7', payload: { email, item: 'a boat' } }
    const runId = await start(graph, event)
    const visitor = await visitorOf(app, email)
    await runWhere(ana, runId, ({ status }) => status === 'waiting')
    expect((await visitor.sign()).body.documentState).toBe('SEALING')
    const run = await finished(ana, runId)
    expect(run).toMatchObject({ status: 'succeeded', output: { payload: { title: 'Contract for a boat' } } })
    const { document_id } = (run.output as { payload: { document_id: string } }).payload
    expect((await ana.get(`${documentsPath}/${document_id}`)).body.state).toBe('COMPLETED')
  })

  it.each([
    ['a role that the template lacks', { role: 'Nobody' }, 'no role'],
    ['an address that is none', { email: 'x' }, 'email'],
  ])('refuses %s in words, and sends nothing', async (_what, change, words) => {
    const person = { role: 'Customer', name: 'Kim', email: 'kim@example.test', ...change }
    const config = { template_id: await makeTemplate(), recipients: [person] }
    const run = await finished(ana, await start({ nodes: [send(config)], edges: [] }, { event_type: 'x', payload: {} }))
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining(words) })
  })

  it('knows no template of somebody else', async () => {
    const templateId = await makeTemplate(await app.user())
    const config = { template_id: templateId, recipients: [] }
    const run = await finished(ana, await start({ nodes: [send(config)], edges: [] }, { event_type: 'x', payload: {} }))
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining("couldn't find that template") })
  })
})
