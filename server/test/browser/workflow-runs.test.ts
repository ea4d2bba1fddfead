import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { dispatched, ingest, ingestKey } from '../harness/bus.ts'
import type { Person } from '../harness/people.ts'
import { finished, runWhere, startByHand } from '../harness/runs.ts'
import { edge, makeWorkflow, node, publishWorkflow, workflowsPath } from '../harness/workflows.ts'
import { startModelProvider } from '../peers/model-provider.ts'
import { startSite } from '../peers/site.ts'
import { startWire } from '../peers/wire.ts'
import { hasBrowser } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { sharedPage } from './shared-page.ts'

let isBankOpen = false
let letInvoice: () => void = () => undefined
const site = await startSite(({ path }, response) => {
  response.setHeader('content-type', 'application/json')
  if (path !== '/pay') letInvoice = () => void response.end('{"number": "2026-117", "amount": 1250}')
  else response.writeHead(isBankOpen ? 200 : 400).end(isBankOpen ? '{"paid": true}' : 'The bank is closed.')
})
const app = await browserApp({
  env: { SVC_EVENT_API_KEY: ingestKey, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` },
})
// Before the app, which would wait for an invoice that nobody hands out any more.
afterAll(() => site.close())

const provider = await startModelProvider({ models: ['swift'] })
provider.usually({ text: 'With thanks.', usage: { prompt: 1_000_000, completion: 100_000 } })
afterAll(() => provider.close())
await (await app.platformOwner()).post('/api/v1/connections', {
  type: 'compat',
  name: 'Thanks',
  url: provider.url,
  prices: { swift: { input: 0.15, output: 0.6 } },
})

/** Between the browser and the app, to be cut. */
const wire = await startWire({ host: '127.0.0.1', port: Number(new URL(app.url).port) })
afterAll(() => wire.close())

const ana = await app.user({ name: 'Ana Pereira' })
const origin = `http://127.0.0.1:${wire.port}`
const byWire = sharedPage(origin, ana)
/** The browser says of its own accord that a line broke. */
const besidesTheCut = (problems: readonly string[]) =>
  problems.filter((problem) => !/net::ERR_|WebSocket/.test(problem))
const showOnly = async (page: Page, status: string) => {
  await page.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('checkbox', { name: status }).check()
  await page.keyboard.press('Escape')
}
const named = (name: string, made: GraphNode): GraphNode => ({ ...made, name })

const question = {
  title: 'Pay invoice {{ fetch.body.number }}?',
  message: 'Aldgate Paper, 1,250 EUR.\n\nDue on Friday.',
  deadline_sec: 86_400,
}
const payInvoice = {
  nodes: [
    named('Fetch the invoice', node('fetch', { url: `${site.origin}/invoice` }, 'http_request')),
    named('Ask the office', node('ask', question, 'approval')),
    named('Pay it', node('pay', { method: 'POST', url: `${site.origin}/pay` }, 'http_request')),
    named('Send it back', node('refuse')),
    named('Note the payment', node('note', { fields: { done: 'True' } })),
    named('Thank them', node('thank', { model: 'swift', prompt: 'Thank them.' }, 'agent')),
  ],
  edges: [
    edge('fetch', 'ask'),
    edge('ask', 'pay', 'approved'),
    edge('ask', 'refuse', 'rejected'),
    edge('pay', 'note'),
    edge('note', 'thank'),
  ],
}

describe.runIf(hasBrowser)('runs', () => {
  it('light up as they go, are answered in the inbox, and go on from where they failed', async () => {
    const { id } = await makeWorkflow(ana, payInvoice, 'Pay invoices')
    await publishWorkflow(ana, id)
    const { body: run } = await startByHand(ana, id, { order: 1001 })
    const { page, context, inspect, problems } = await byWire(`/workflows/${id}/runs`)
    await page
      .getByRole('table', { name: 'Runs' })
      .getByRole('link', { name: /Running/ })
      .click()
    await page.waitForURL(`**/runs/${run.id}`)
    const card = (name: RegExp) => page.getByRole('group', { name })
    const header = page.getByRole('main').getByRole('status')
    await card(/Fetch the invoice.*Running/).waitFor()
    await expect.poll(() => site.requests.length).toBe(1)

    // Steps that end while the line is cut are shown when it is back, each once.
    wire.cut()
    await page.getByText('Reconnecting').waitFor()
    letInvoice()
    await runWhere(ana, run.id, ({ status }) => status === 'waiting')
    await card(/Fetch the invoice.*Running/).waitFor()
    wire.mend()
    await card(/Ask the office.*Waiting.*until/).waitFor()
    await page.getByText('Reconnecting').waitFor({ state: 'detached' })
    const steps = page.getByRole('region', { name: 'Steps' }).getByRole('button')
    await expect.poll(() => steps.allInnerTexts()).toHaveLength(2)
    await page
      .getByRole('region', { name: 'Steps' })
      .getByRole('button', { name: /Fetch the invoice.*Done/ })
      .click()
    await page.waitForURL('**step=fetch')
    const panel = page.getByRole('complementary', { name: 'Step Fetch the invoice' })
    await panel.getByRole('region', { name: 'Output' }).getByText('2026-117').waitFor()
    await page
      .getByRole('region', { name: 'Steps' })
      .getByRole('button', { name: /Ask the office/ })
      .click()
    await page.getByRole('region', { name: 'Approval' }).getByText('Due on Friday.').waitFor()
    await inspect('workflow-run', { isLive: true })

    const inbox = await context.newPage()
    await inbox.goto(`${origin}/workflows/approvals`)
    await inbox.getByRole('link', { name: /Approvals\s*1/ }).waitFor()
    await inbox.getByRole('region', { name: 'Output of the node before' }).getByText('2026-117').waitFor()
    await inbox
      .getByRole('article', { name: /Pay invoice/ })
      .getByLabel('Comment')
      .fill('Fine with me.')
    await inbox.getByRole('heading', { name: /Pay invoice/ }).click()
    // A key is easily pressed by mistake: until the answer is sent, nothing has happened.
    await inbox.keyboard.press('r')
    await inbox
      .getByRole('region', { name: 'Notifications' })
      .getByText(/^Rejected: Pay invoice/)
      .waitFor()
    await inbox.getByText('The answer is sent in a few seconds.').waitFor()
    await inbox.keyboard.press('u')
    await expect.poll(() => inbox.getByLabel('Comment').inputValue()).toBe('Fine with me.')
    expect((await ana.get('/api/v1/approvals?state=open')).body.total).toBe(1)
    await inbox.keyboard.press('a')
    await inbox.getByRole('button', { name: 'Send now' }).click()
    await inbox.getByText('You’re all caught up').waitFor()
    await inbox.getByText('Answered', { exact: true }).click()
    await inbox.getByText('Fine with me.').waitFor()
    await inbox.close()

    // The first page was told by the stream alone.
    await card(/Pay it.*Failed/).waitFor()
    await header.getByText('Failed').waitFor()
    isBankOpen = true
    await page.getByRole('button', { name: 'Retry from failed node' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(run.id))
    await card(/Fetch the invoice.*Reused/).waitFor()
    await card(/Note the payment.*Done/).waitFor()
    await header.getByText('Succeeded').waitFor()
    await card(/Thank them.*Done.*1,100,000 tokens · \$0\.21/).waitFor()
    await page.getByRole('list', { name: 'Run details' }).getByText('cost $0.21').waitFor()
    await page
      .getByRole('region', { name: 'Steps' })
      .getByRole('button', { name: /Thank them/ })
      .click()
    await page.getByText('Model calls').click()
    await page.getByText(/1\. swift/).click()
    await page.getByRole('region', { name: 'Prompt' }).getByText('Thank them.').waitFor()
    await page.getByText(/Finish reason: stop/).waitFor()
    await page.getByRole('button', { name: 'Back to run' }).click()
    const retried = page.url()
    await page.getByRole('link', { name: 'First attempt' }).click()
    await page.waitForURL(`**/runs/${run.id}`)
    await page.getByRole('link', { name: 'Go to latest retry' }).click()
    await page.waitForURL(retried)
    await page.goBack()
    expect(await page.getByRole('button', { name: 'Retry from failed node' }).count()).toBe(0)
    await page
      .getByRole('complementary', { name: 'Run', exact: true })
      .getByText(/The bank is closed|Pay it/)
      .first()
      .waitFor()

    // A run that starts while one looks at the list appears in it, told by the socket.
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('row', { name: /Succeeded.*\$0\.21/ }).waitFor()
    const { body: another } = await startByHand(ana, id)
    await page.getByRole('link', { name: /Running/ }).waitFor()
    await showOnly(page, 'Running')
    await page.waitForURL('**status=running')
    await page.getByRole('link', { name: /Running/ }).click()
    await page.getByRole('button', { name: 'Cancel run' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click()
    await header.getByText('Cancelled').waitFor()
    expect(await finished(ana, another.id)).toMatchObject({ status: 'cancelled' })
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await showOnly(page, 'Cancelled')
    await page.getByRole('button', { name: 'Run these again' }).click()
    await page.getByRole('alertdialog', { name: 'Run 1 run again?' }).getByRole('button', { name: 'Run again' }).click()
    await page.getByText('Started 1 run again').waitFor()
    expect(besidesTheCut(problems)).toEqual([])
  })
})

describe.runIf(hasBrowser)('an approval with a whole order in it', () => {
  it('has its buttons on the first screen, and its run shows all five nodes and for whom it acts', async () => {
    const order = Object.fromEntries(Array.from({ length: 45 }, (_, line) => [`line ${line}`, `Paper ${line}`]))
    const ask = named('Ask the office', node('ask', { title: 'Ship it?', message: '{{ input }}' }, 'approval'))
    const others = ['pack', 'label', 'send', 'note'].map((id) => node(id))
    const ids = ['ask', 'pack', 'label', 'send', 'note']
    const edges = ids.slice(1).map((id, index) => edge(ids[index] ?? '', id, index === 0 ? 'approved' : undefined))
    const nodes = [ask, ...others].map((one, index) => ({ ...one, position: { x: index * 284, y: 0 } }))
    const { id } = await makeWorkflow(ana, { nodes, edges }, 'Ship orders')
    await publishWorkflow(ana, id)
    const { body: run } = await startByHand(ana, id, order)
    await runWhere(ana, run.id, ({ status }) => status === 'waiting')

    const { page, inspect, problems } = await byWire('/workflows/approvals')
    const article = page.getByRole('article', { name: 'Ship it?' })
    await article.getByRole('region', { name: 'Message' }).getByText('Paper 0').waitFor()
    const { height } = page.viewportSize() ?? { height: 0 }
    for (const name of [/Approve/, /Reject/]) {
      const box = await article.getByRole('button', { name }).boundingBox()
      expect((box?.y ?? height) + (box?.height ?? 0), String(name)).toBeLessThan(height)
    }
    await inspect('workflow-approval-json')
    await page.getByRole('link', { name: 'View run' }).click()
    await page.getByRole('list', { name: 'Run details' }).getByText('acts for Ana Pereira').waitFor()
    const graph = await page.getByRole('region', { name: 'Run graph' }).boundingBox()
    const last = page.getByRole('region', { name: 'Run graph' }).getByText('Node note')
    const box = await last.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((graph?.x ?? 0) + (graph?.width ?? 0))
    await inspect('workflow-run-five', { isLive: true })
    expect(besidesTheCut(problems)).toEqual([])
  })
})

describe.runIf(hasBrowser)('events', () => {
  const subscribe = async (author: Person, workflowId: string, more: object) => {
    const made = await author.post(`${workflowsPath}/${workflowId}/triggers/event`, { name: 'New orders', ...more })
    expect(made.status).toBe(201)
  }
  const process = { correlation_id: 'order-1001', source: 'shop' }

  it('arrive while one looks, can be narrowed down, and tell what they led to', async () => {
    const ship = await makeWorkflow(ana, { nodes: [named('Pack it', node('pack'))], edges: [] }, 'Ship an order')
    const announce = { event_type: 'order_checked', payload: { amount: '{{ _event.payload.amount }}' } }
    const graph = { nodes: [named('Say that it was checked', node('emit', announce, 'emit_event'))], edges: [] }
    const check = await makeWorkflow(ana, graph, 'Check an order')
    for (const { id } of [ship, check]) await publishWorkflow(ana, id)
    await subscribe(ana, check.id, { event_type: 'order_created' })
    await subscribe(ana, ship.id, { event_type: 'order_checked' })
    await subscribe(ana, ship.id, {
      event_type: 'order_created',
      name: 'Large',
      filter_expr: 'payload["amount"] > 9000',
    })

    const { page, inspect, problems } = await byWire('/events')
    await page.getByText('No events yet').waitFor()
    await page.getByText('$CHANCERY_KEY').waitFor()
    await page.getByRole('status').getByText('Live').waitFor()
    await ingest(app, { ...process, payload: { amount: 1250, items: ['paper', 'ink'] } })
    const list = page.getByRole('list', { name: 'Events' })
    await list.getByRole('link', { name: /order_checked/ }).waitFor()
    await list.getByRole('link', { name: /order_created.*shop/ }).click()
    const panel = page.getByRole('complementary', { name: 'Event' })
    const decisions = panel.getByRole('region', { name: 'Decisions' })
    await decisions.getByText('Filtered out').waitFor()
    await decisions.getByText('The event didn’t match the filter.').waitFor()
    await panel.getByRole('region', { name: 'Payload' }).getByText('"paper"').waitFor()

    await page.getByRole('button', { name: 'Pause' }).click()
    for (let count = 0; count < 60; count++) await ingest(app, { event_type: 'stock_counted', payload: { count } })
    await page.getByRole('button', { name: 'Resume, 60 new' }).waitFor()
    await inspect('events', { isLive: true })
    await page.getByRole('button', { name: 'Resume, 60 new' }).click()
    await list.getByRole('link', { name: /"count":59\}/ }).waitFor()
    await list.getByRole('link', { name: /"count":59\}/ }).hover()
    await page.mouse.wheel(0, 600)
    await list.getByRole('link', { name: /"count":30\}/ }).waitFor()
    await ingest(app, { event_type: 'stock_counted', payload: { count: 'last' } })
    await page.getByRole('button', { name: '1 new' }).click()
    await list.getByRole('link', { name: /"last"/ }).waitFor()

    // Events that came while the line was cut are there once it is back, in their order and once.
    wire.cut()
    await page.getByRole('status').getByText('Reconnecting').waitFor()
    for (const count of [1, 2, 3]) await ingest(app, { event_type: 'stock_missed', payload: { count } })
    wire.mend()
    await list.getByRole('link', { name: /stock_missed.*"count":3\}/ }).waitFor()
    await page.getByRole('status').getByText('Live').waitFor()
    await ingest(app, { event_type: 'stock_missed', payload: { count: 4 } })
    await list.getByRole('link', { name: /stock_missed.*"count":4\}/ }).waitFor()
    const texts = await list.getByRole('link').allInnerTexts()
    const missed = texts.filter((text) => text.includes('stock_missed')).map((text) => /"count":(\d)/.exec(text)?.[1])
    expect(missed).toEqual(['4', '3', '2', '1'])
    expect(texts.filter((text) => text.includes('"last"'))).toHaveLength(1)

    await page.getByRole('searchbox', { name: 'Type' }).or(page.getByLabel('Type')).fill('order_checked')
    await page.waitForURL('**type=order_checked*')
    await list.getByRole('link', { name: /a workflow/ }).waitFor()
    expect(await list.getByRole('link').count()).toBe(1)

    await panel.getByRole('link', { name: 'View process' }).click()
    await page.waitForURL('**/events/timeline/order-1001')
    const story = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
    await story.filter({ hasText: 'Run of Ship an order' }).getByText('Succeeded').waitFor()
    const told = await story.allInnerTexts()
    const line = (words: string) => told.findIndex((text) => text.includes(words))
    const order = ['order_created', 'Run of Check an order', 'order_checked', 'Run of Ship an order', 'Pack it']
    expect(order.map(line)).toEqual(order.map(line).toSorted((one, other) => one - other))
    expect(line('The event didn’t match the filter')).toBeGreaterThan(0)
    await inspect('events-timeline', { isLive: true })
    await story.getByRole('link', { name: 'Pack it' }).click()
    await page.waitForURL('**step=pack')
    expect(besidesTheCut(problems)).toEqual([])
  })

  it('that could not be dispatched are retried or discarded', async () => {
    const { body: event } = await ingest(app, { event_type: 'never_delivered' })
    await dispatched(app)
    const { seq } = (await ana.get(`/api/v1/events/${event.event_id}`)).body
    const letter = { eventId: event.event_id, seq, scopeId: ana.id, attempts: 8, failedAt: new Date() }
    const fail = () =>
      app.db
        .insertInto('eventDeadLetters')
        .values({ ...letter, id: app.unknownId(), error: 'No room for another run.' })
        .execute()
    await fail()
    const { page } = await byWire('/events/dead-letters')
    const row = page.getByRole('row', { name: /never_delivered.*No room/ })
    await row.waitFor()
    await row.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No failed deliveries').waitFor()
    await dispatched(app)
    await fail()
    await page.reload()
    await row.getByRole('button', { name: /Discard/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('No failed deliveries').waitFor()
  })
})
