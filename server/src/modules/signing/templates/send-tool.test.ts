/** One product: an order starts a workflow, the workflow sends a contract, waits for the signature and goes on. */
import { createHash } from 'node:crypto'
import type { Graph } from '@chancery/contract/workflows/graph.ts'
import type { Run } from '@chancery/contract/workflows/runs.ts'
import { describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { testApp } from '#test/harness/app.ts'
import { ingest, ingestKey } from '#test/harness/bus.ts'
import { bearer } from '#test/harness/client.ts'
import { createVictim } from '#test/harness/failpoints.ts'
import { expireRunLeases } from '#test/harness/leases.ts'
import { finished, runsPath, runWhere, startByHand } from '#test/harness/runs.ts'
import { documentsPath, makeDraft, visitorOf } from '#test/harness/signing.ts'
import { edge, makePublished, makeWorkflow, node, workflowsPath } from '#test/harness/workflows.ts'
import { until } from '#test/kernel/until.ts'

const log = createLog('silent')
const victim = createVictim()
const app = await testApp({ env: { SVC_EVENT_API_KEY: ingestKey }, failpoints: victim })
const ana = await app.user({ name: 'Ana Owner' })

const makeTemplate = async (owner = ana, signatureLabel: string | null = null) => {
  const draft = await makeDraft(owner, { title: 'Order contract', recipients: [{}] })
  const [recipient] = draft.recipients
  const amount = { recipientId: recipient?.id, type: 'NUMBER', page: 1, x: 0.1, y: 0.5, width: 0.3, height: 0.05 }
  await owner.put(`${documentsPath}/${draft.id}/fields`, [
    ...draft.fields.map((field) => ({ ...field, label: signatureLabel })),
    { ...amount, label: 'Amount', required: false },
  ])
  const roles = [{ recipientId: recipient?.id, name: 'Customer' }]
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

  it("fills in no signature, which is the signer's own act, and sends nothing", async () => {
    const templateId = await makeTemplate(ana, 'Sign here')
    const email = `nobody.${templateId}@example.test`
    const recipients = [{ role: 'Customer', name: 'Kim', email }]
    const config = { template_id: templateId, recipients, values: { 'Sign here': { typed: 'Kim' } } }
    const graph = { nodes: [send(config)], edges: [] }
    const run = await finished(ana, await start(graph, { event_type: 'x', payload: {} }))
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('Only the signer') })
    expect(app.lettersTo(email)).toEqual([])
  })

  it('knows no template of somebody else', async () => {
    const templateId = await makeTemplate(await app.user())
    const config = { template_id: templateId, recipients: [] }
    const run = await finished(ana, await start({ nodes: [send(config)], edges: [] }, { event_type: 'x', payload: {} }))
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining("couldn't find that template") })
  })
})

let buyers = 0
/** A node that sends to a new address; each of its outputs leads to a node of that name. */
const signatureGraph = async (config: Record<string, unknown> = {}) => {
  buyers += 1
  const email = `buyer.${buyers}@example.test`
  const sign = {
    template_id: await makeTemplate(),
    title: 'Contract {{ input.order }}',
    recipients: [{ role: 'customer', name: 'Kim', email }],
    values: { amount: '{{ input.amount }}' },
    ...config,
  }
  const ends = ['completed', 'declined', 'expired', 'cancelled']
  const graph: Graph = {
    nodes: [node('sign', sign, 'signature'), ...ends.map((end) => node(end))],
    edges: ends.map((end) => edge('sign', end, end)),
  }
  return { graph, email }
}
const sendByNode = async (config?: Record<string, unknown>) => {
  const { graph, email } = await signatureGraph(config)
  const { id: workflowId } = await makePublished(ana, graph)
  const { body } = await startByHand(ana, workflowId, { order: 7, amount: 1200 })
  const visitor = await visitorOf(app, email)
  const run = await runWhere(ana, body.id, ({ status }) => status === 'waiting')
  return { run, visitor, email, documentId: documentOf(run) }
}
const outputOf = ({ steps }: Run, nodeId = 'sign') =>
  steps.find((step) => step.node_id === nodeId && step.status !== 'cancelled')?.output as Record<string, unknown>
const documentOf = (run: Run): string => String(outputOf(run).document_id)
const reached = ({ steps }: Run): string[] =>
  steps.filter(({ node_id, status }) => status === 'succeeded' && node_id !== 'sign').map(({ node_id }) => node_id)

describe('the node signature', () => {
  it('has a contract signed that an order asks for, and archives it, as the bundled template says', async () => {
    const { body: templates } = await ana.get('/api/v1/workflow-templates')
    const bundled = templates.items.find(({ id }: { id: string }) => id === 'signed-contract')
    const graph: Graph = structuredClone(bundled.graph)
    Object.assign(graph.nodes[0]?.config ?? {}, { template_id: await makeTemplate(), values: { Amount: 1200 } })
    const { id } = await makePublished(ana, graph)
    await ana.post(`${workflowsPath}/${id}/triggers/event`, { name: 'orders', event_type: 'order_placed' })
    const email = `kim.${id}@example.test`
    await ingest(app, { event_type: 'order_placed', payload: { order: 'A-7', customer: { name: 'Kim', email } } })
    const visitor = await visitorOf(app, email)
    expect((await visitor.sign()).status).toBe(200)
    const archived = async () =>
      (await ana.get('/api/v1/events?event_type=contract_archived')).body.data.at(0)?.payload ?? {}
    await expect.poll(archived).toMatchObject({ order: 'A-7', values: { Amount: '1200' } })
    const { document_id, sealed_file } = await archived()
    const { body: document } = await ana.get(`${documentsPath}/${document_id}`)
    expect(document).toMatchObject({ state: 'COMPLETED', title: 'Contract for order A-7', folder: 'Contracts' })
    const copy = await fetch(`${app.url}/api/v1/files/${sealed_file.id}/content`, { headers: bearer(ana.token) })
    expect(
      createHash('sha256')
        .update(Buffer.from(await copy.arrayBuffer()))
        .digest('hex'),
    ).toBe(sealed_file.sha256)
    const file = await fetch(`${app.url}${sealed_file.path}`, { headers: bearer(ana.token) })
    expect(
      createHash('sha256')
        .update(await file.bytes())
        .digest('hex'),
    ).toBe(sealed_file.sha256)
  })

  it('goes on along declined, cancelled and expired, with what is known of the document', async () => {
    const declined = await sendByNode()
    await declined.visitor.post(`${declined.visitor.path}/decline`, { reason: 'Too dear' })
    const run = await finished(ana, declined.run.id)
    expect(reached(run)).toEqual(['declined'])
    expect(outputOf(run)).toMatchObject({ state: 'DECLINED', recipients: [{ decline_reason: 'Too dear' }] })

    const cancelled = await sendByNode()
    await ana.post(`${documentsPath}/${cancelled.documentId}/cancel`, {})
    expect(reached(await finished(ana, cancelled.run.id))).toEqual(['cancelled'])

    const expired = await sendByNode({ expires_sec: 3600 })
    app.clock.forward({ minutes: 120 })
    const time = app.ports.signing.jobs?.find(({ name }) => name === 'signing.time')
    await time?.work({}, { jobId: 'by hand', attempt: 1, signal: AbortSignal.timeout(60_000), log })
    expect(reached(await finished(ana, expired.run.id))).toEqual(['expired'])
  })

  it('sends once, although the server dies before it knows that it sent', async () => {
    const { graph, email } = await signatureGraph()
    const { id } = await makePublished(ana, graph)
    const other = await makePublished(ana, { nodes: [node('only')], edges: [] })
    const point = 'step: before it is written'
    victim.dieAt(point)
    await startByHand(ana, id, { order: 1, amount: 1 })
    // Twice: what the node did isn't written, and neither is that the run failed.
    await until(() => victim.thrownAt.filter((name) => name === point).length >= 2)
    victim.revive()
    await expireRunLeases(app.db)
    // Starting a run makes the server look for runs whose lease has expired.
    await startByHand(ana, other.id)
    const { body } = await ana.get(`${workflowsPath}/${id}/runs`)
    const run = await runWhere(ana, body.data[0].id, ({ status }) => status === 'waiting')
    const list = await ana.get(`${documentsPath}?search=${email}`)
    expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([documentOf(run)])
    await (await visitorOf(app, email)).sign()
    expect(reached(await finished(ana, run.id))).toEqual(['completed'])
  })

  it('leaves the document alone when its run is cancelled, says so, and waits for it again in a retry', async () => {
    const { run, visitor, documentId } = await sendByNode()
    await ana.post(`${runsPath}/${run.id}/cancel`)
    expect((await finished(ana, run.id)).error).toContain('Still out for signature: "Contract 7"')
    const retry = await ana.post(`${runsPath}/${run.id}/retry`)
    const waiting = await runWhere(ana, retry.body.id, ({ status }) => status === 'waiting')
    expect(documentOf(waiting)).toBe(documentId)
    await visitor.sign()
    expect(reached(await finished(ana, waiting.id))).toEqual(['completed'])
  })

  it('is checked before publication against the roles and fields of its template', async () => {
    const templateId = await makeTemplate()
    const check = async (config: Record<string, unknown>) => {
      const { graph } = await signatureGraph(config)
      const { problems } = await makeWorkflow(ana, graph)
      return problems.map(({ field, message }: { field: string; message: string }) => `${field}: ${message}`)
    }
    expect(await check({ template_id: templateId })).toEqual([])
    expect(
      await check({ recipients: [{ role: 'Buyer', name: 'Kim', email: 'kim@example.test' }], values: { Sum: '1' } }),
    ).toEqual([
      'config.recipients: Name someone for the role "Customer".',
      'config.recipients[0].role: The template has no role "Buyer".',
      'config.values: The template has no field with the label "Sum".',
    ])
    expect(await check({ template_id: await makeTemplate(await app.user()) })).toEqual([
      "config.template_id: This template doesn't exist.",
    ])
  })

  it('needs a person who sends: a triggered run of an organization fails with a sentence', async () => {
    const admin = await app.user({ org: 'senders', role: 'ROLE_ORG_ADMIN' })
    const { graph } = await signatureGraph({ template_id: await makeTemplate(admin) })
    const { id } = await makePublished(admin, graph)
    await admin.post(`${workflowsPath}/${id}/triggers/event`, { name: 'go', event_type: 'go_and_send' })
    await ingest(app, { event_type: 'go_and_send', payload: {} })
    const ofWorkflow = async () => (await admin.get(`${workflowsPath}/${id}/runs`)).body.data
    await expect.poll(async () => (await ofWorkflow()).length).toBe(1)
    const run = await finished(admin, (await ofWorkflow())[0].id)
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('Choose who this workflow runs as') })
  })
})
