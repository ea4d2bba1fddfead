/** From draft to publication and back: the review, what starts a workflow, its versions, and what its runs use. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Graph, GraphNode, NodeType } from '@chancery/contract/workflows/graph.ts'
import { describe, expect, it } from 'vitest'
import { ingest, ingestKey } from '../harness/bus.ts'
import { edge, makeWorkflow, publishWorkflow, workflowsPath } from '../harness/workflows.ts'
import { hasBrowser } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { sharedPage } from './shared-page.ts'

const app = await browserApp({ env: { SVC_EVENT_API_KEY: ingestKey } })
const admin = await app.user({ name: 'Dora Wills', org: 'Wills and Sons' })
const author = await app.user({ name: 'Emil Novak', org: 'Wills and Sons' })

const asAuthor = sharedPage(app.url, author)
const asAdmin = sharedPage(app.url, admin)

const step = (
  id: string,
  [type, name, x, y]: [NodeType, string, number, number],
  config: GraphNode['config'],
): GraphNode => ({ id, type, name, position: { x, y }, config })

const note = 'Greet the customer.\nName the order.\nSay when it ships.'
const priced = step('price', ['transform', 'Work out the price', 0, 60], { fields: { total: 'input["total"]' } })
const large = step('large', ['condition', 'Is it large?', 300, 60], { expression: 'state["total"] > 100' })
const ask = step('ask', ['approval', 'Ask the manager', 600, 0], { title: 'A large order', message: note })
const tell = (authorization: string) =>
  step('tell', ['http_request', 'Tell the warehouse', 920, 60], {
    method: 'POST',
    url: 'https://warehouse.example/orders',
    authorization,
  })
const orders: Graph = {
  nodes: [priced, large, ask, tell('Bearer one')],
  edges: [edge('price', 'large'), edge('large', 'ask', 'true'), edge('ask', 'tell', 'approved')],
  settings: { deadline_sec: 3600 },
}
/** One added, one removed, two changed, with a secret among them. */
const changed: Graph = {
  nodes: [
    priced,
    { ...large, config: { expression: 'state["total"] > 250' } },
    step('log', ['emit_event', 'Record the order', 600, 180], { event_type: 'order_recorded' }),
    tell('Bearer two'),
  ],
  edges: [edge('price', 'large'), edge('large', 'log', 'false'), edge('large', 'tell', 'true')],
  settings: { deadline_sec: 7200 },
}

const makeOrders = async (name: string) => (await makeWorkflow(author, orders, name)).id as string

describe.runIf(hasBrowser)('the review of a workflow', () => {
  it('goes from its author to a reviewer and back, and publishes only what the reviewer saw', async () => {
    const id = await makeOrders('Large orders')
    const path = `/workflows/${id}/review`
    const byAuthor = await asAuthor(path)
    await byAuthor.page.getByLabel('Notes for the reviewer').fill('Please look at the limit.')
    await byAuthor.page.getByRole('button', { name: 'Submit for review' }).click()
    await byAuthor.page.getByText('Waiting for an admin of your organization').waitFor()

    const { page, problems } = await asAdmin(path)
    await page.getByText('Please look at the limit.').waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject workflow' })
    await dialog.getByLabel('Notes').fill('Why 100 and not 250?')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('“Large orders” rejected').waitFor()
    await byAuthor.page.reload()
    await byAuthor.page.getByText('Why 100 and not 250?').waitFor()
    await byAuthor.page.getByRole('button', { name: 'Submit for review' }).click()
    await byAuthor.page.getByText('Waiting for an admin of your organization').waitFor()

    await page.reload()
    await page.getByRole('button', { name: 'Approve & Publish' }).waitFor()
    await author.put(`${workflowsPath}/${id}`, { graph: changed })
    await author.post(`${workflowsPath}/${id}/submit`)
    await page.getByRole('button', { name: 'Approve & Publish' }).click()
    await page.getByText('It was changed and submitted again').waitFor()
    await page.getByRole('button', { name: 'I’ve read the new version' }).click()
    await page.getByLabel('Version notes').fill('The limit is 250.')
    await page.getByRole('button', { name: 'Approve & Publish' }).click()
    await page.getByText('Version 1 published').waitFor()
    await page.getByText('There’s nothing to review.').waitFor()
    await page.getByLabel('Triggered runs act as').selectOption({ label: 'Emil Novak' })
    await page.getByText('Triggered runs now act as: Emil Novak').waitFor()
    await byAuthor.page.reload()
    await byAuthor.page.getByText('Triggered runs act as: Emil Novak').waitFor()

    await author.put(`${workflowsPath}/${id}`, { graph: orders })
    await page.reload()
    await page.getByRole('button', { name: /Ask the manager.*Added/ }).click()
    await page.getByRole('region', { name: 'Ask the manager' }).getByText('config.title').waitFor()
    expect(problems).toEqual([])
  })
})

describe.runIf(hasBrowser)('triggers', () => {
  it('are tried while they are written: on recent events, on the clock, and from a shell', async () => {
    const id = await makeOrders('Orders from everywhere')
    for (const total of [40, 120, 380])
      await ingest(app, { correlation_id: `order-${total}`, payload: { total, customer: { country: 'DE' } } })
    await ingest(app, { correlation_id: 'order-none', payload: {} })
    const { page, inspect, problems } = await asAuthor(`/workflows/${id}`)

    // The Start node holds the triggers: they are added, shown and deleted where the graph is drawn.
    await page.getByRole('group', { name: 'Start, No triggers, run manually' }).focus()
    await page.keyboard.press('Enter')
    const triggers = page.getByRole('complementary', { name: 'Triggers' })
    await triggers.getByText('This workflow isn’t published yet.').waitFor()
    await triggers.getByRole('button', { name: 'New trigger' }).click()
    await page.getByRole('menuitem', { name: 'On an event' }).click()
    await page.getByLabel('Name').fill('Any order')
    await page.getByLabel('Event type').fill('order_created')
    await page.getByRole('button', { name: 'Add trigger' }).click()
    await page.getByRole('group', { name: 'Start, 1 trigger, On order_created: Active once published' }).waitFor()
    await inspect('workflow-start')
    await publishWorkflow(author, id, admin)
    await page.reload()
    await page.waitForURL('**node=*start')
    await page.getByRole('group', { name: 'Start, 1 trigger, On order_created: Active' }).waitFor()
    await triggers.getByRole('button', { name: 'Actions for Any order' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete trigger' }).click()
    await page.getByRole('group', { name: 'Start, No triggers, run manually' }).waitFor()

    await page.getByRole('link', { name: 'Triggers' }).click()
    // The graph, which has a button of this name as well, stays until the other page is there.
    await triggers.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New trigger' }).click()
    await page.getByRole('menuitem', { name: 'On an event' }).click()
    const event = page.getByRole('dialog', { name: 'New event trigger' })
    await event.getByLabel('Name').fill('Large orders')
    await event.getByLabel('Event type').fill('order_created')
    const filter = event.getByLabel('Filter')
    await filter.fill('payload["total"] >> lambda')
    await event.getByText('Fix the expression to test it').waitFor()
    // Names are completed from recent events.
    await filter.fill('payload["cus')
    await filter.pressSequentially('t')
    await event.getByRole('option', { name: /^payload\["customer"\]/ }).waitFor()
    await filter.press('Enter')
    await expect.poll(() => filter.inputValue()).toBe('payload["customer"]')
    await filter.fill('payload["total"] > 100')
    await event.getByText('2 of 4 would start a run').waitFor()
    await event
      .getByText(/KeyError|total/)
      .first()
      .waitFor()
    await event.getByRole('button', { name: /^True/ }).first().click()
    await event.getByRole('button', { name: 'country "DE"' }).click()
    await expect
      .poll(() => filter.inputValue())
      .toBe('payload["total"] > 100 and payload["customer"]["country"] == "DE"')
    await filter.fill('payload["total"] > 100 and (')
    await event.getByTestId('mistake').waitFor()
    await inspect('workflow-event-trigger')
    await filter.fill('payload["total"] > 100')
    await event.getByLabel('When several events arrive').selectOption('one_per_correlation')
    await event.getByRole('button', { name: 'Add trigger' }).click()
    await page.getByRole('row', { name: /Large orders.*order_created.*Active/ }).waitFor()

    const paused = { pausedAt: new Date(), pausedReason: 'LimitExceeded: the filter took too many steps' }
    await app.db.updateTable('subscriptions').set(paused).where('workflowId', '=', id).execute()
    await page.reload()
    await page.getByRole('row', { name: /Large orders.*Paused.*LimitExceeded/ }).waitFor()
    await page.getByRole('button', { name: 'Actions for Large orders' }).click()
    await page.getByRole('menuitem', { name: 'Resume' }).click()
    await page.getByRole('row', { name: /Large orders.*order_created.*Active/ }).waitFor()

    await page.getByRole('button', { name: 'New trigger' }).click()
    await page.getByRole('menuitem', { name: 'On a schedule' }).click()
    const cron = page.getByRole('dialog', { name: 'New schedule' })
    await cron.getByLabel('Name').fill('Each morning')
    await cron.getByRole('button', { name: 'Weekdays at 08:00' }).click()
    await cron.getByRole('combobox', { name: 'Time zone' }).fill('tokyo')
    await cron.getByRole('option', { name: /Asia\/Tokyo/ }).click()
    await cron
      .getByRole('region', { name: 'Next runs' })
      .getByText(/08:00 (AM )?GMT\+9/)
      .first()
      .waitFor()
    await cron.getByLabel('Cron expression').fill('61 8 * * *')
    await cron.getByText(/out of range|not valid|invalid/i).waitFor()
    await cron.getByRole('button', { name: 'Weekdays at 08:00' }).click()
    await cron.getByLabel('Input').fill('{"report": "daily"}')
    await cron.getByRole('button', { name: 'Add trigger' }).click()
    await page.getByRole('row', { name: /Each morning.*Weekdays at 08:00.*Asia\/Tokyo/ }).waitFor()

    await page.getByRole('button', { name: 'New trigger' }).click()
    await page.getByRole('menuitem', { name: 'On a webhook' }).click()
    await page.getByRole('dialog', { name: 'New webhook' }).getByLabel('Name').fill('The shop')
    await page.getByRole('button', { name: 'Add trigger' }).click()
    const webhook = page.getByRole('dialog', { name: 'The shop' })
    await webhook.getByText('Copy it now: you won’t see it again').waitFor()
    await webhook.getByText('Try it from a terminal').click()
    const script = (await webhook.locator('pre').textContent()) ?? ''
    // The address that people use may be another than the one this test listens on.
    const sent = await promisify(execFile)('sh', ['-c', script.replace(/https?:\/\/[^/']+(?=\/api)/, app.url)])
    expect(JSON.parse(sent.stdout)).toMatchObject({ duplicate: false })
    await webhook
      .getByRole('region', { name: 'Recent deliveries' })
      .getByText('webhook_received')
      .waitFor({ timeout: 20_000 })
    await webhook.getByRole('button', { name: 'Create new secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create secret' }).click()
    await webhook.getByText('Two secrets are active.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'The shop is on' }).click()
    await page.getByRole('row', { name: /The shop.*Off/ }).waitFor()
    const { items } = (await author.get(`${workflowsPath}/${id}/triggers`)).body
    expect(items).toHaveLength(3)
    expect(problems).toEqual([])
  })
})

describe.runIf(hasBrowser)('versions', () => {
  it('are compared on the graph, change by change, and rolled back to', async () => {
    const id = await makeOrders('Orders, twice')
    await publishWorkflow(author, id, admin)
    await author.put(`${workflowsPath}/${id}`, { graph: changed })
    await publishWorkflow(author, id, admin)
    const { page, inspect, problems } = await asAuthor(`/workflows/${id}/versions`)
    await page.getByRole('button', { name: 'Take snapshot' }).click()
    await page.getByRole('dialog').getByLabel('Notes').fill('Before the holidays')
    await page.getByRole('dialog').getByRole('button', { name: 'Take snapshot' }).click()
    await page.getByRole('row', { name: /Version 3.*Manual.*Before the holidays/ }).waitFor()
    await page.getByRole('row', { name: /Version 2.*Live.*Published/ }).waitFor()

    await page.getByRole('button', { name: 'Version 2', exact: true }).click()
    await page.waitForURL('**/versions?from=1&to=2')
    await page.getByText('6 changes').waitFor()
    await page.keyboard.press('j')
    await page.waitForURL('**node=large')
    const large = page.getByRole('region', { name: 'Is it large?' })
    await large.getByText('state["total"] > 250').waitFor()
    await page.keyboard.press('k')
    await page.getByRole('region', { name: 'Workflow settings' }).getByText('7200').waitFor()
    await page
      .getByRole('navigation', { name: 'Changes' })
      .getByRole('button', { name: /Tell the warehouse/ })
      .click()
    await page.getByRole('region', { name: 'Tell the warehouse' }).getByText('hidden secret').first().waitFor()
    await page.locator('.react-flow__node', { hasText: 'Ask the manager' }).click()
    await page.getByRole('region', { name: 'Ask the manager' }).getByText('A large order').waitFor()
    expect(await page.content()).not.toContain('Bearer')
    await inspect('workflow-versions')

    await page.getByRole('button', { name: 'Actions for version 1' }).click()
    await page.getByRole('menuitem', { name: 'Roll back to this version' }).click()
    const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' })
    await dialog.getByText('Its triggers are paused').waitFor()
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('row', { name: /Version 4.*Manual.*Before rolling back to version/ }).waitFor()
    expect((await author.get(`${workflowsPath}/${id}`)).body).toMatchObject({ status: 'Draft', fires: false })
    // Nothing starts it any more, so no version says that it is live.
    await page.getByRole('row', { name: /Version 2.*Last published/ }).waitFor()
    await page.getByRole('group', { name: 'Start, No triggers, run manually' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/triggers')
    await page.getByText('This workflow was rolled back.').waitFor()
    expect(problems).toEqual([])
  })
})

describe.runIf(hasBrowser)('catalogs and spaces', () => {
  it('are made, changed and deleted, and a key that went in stays in', async () => {
    const { page, inspect, problems } = await asAdmin('/workflows/catalogs')
    await page.getByText('No catalogs yet').waitFor()
    await page.getByRole('button', { name: 'New catalog' }).click()
    const dialog = page.getByRole('dialog', { name: 'New catalog' })
    await dialog.getByLabel('Name').first().fill('Night shift')
    const server = dialog.getByRole('group', { name: 'Server 1', exact: true })
    await server.getByLabel('Name').fill('Main')
    await server.getByLabel('URL').fill('nowhere')
    await server.getByLabel('API key').fill('sk-night')
    await server.getByLabel('Models').fill('swift\nwise')
    await server.getByText('Prices').click()
    for (const model of ['swift', 'wise'])
      for (const side of ['Input', 'Output']) await server.getByLabel(`${side} price of ${model}`).fill('2.5')
    await dialog.getByRole('button', { name: 'Create catalog' }).click()
    await server.getByText('Enter a valid URL').waitFor()
    await server.getByLabel('URL').fill('https://models.example/v1')
    await dialog.getByRole('button', { name: 'Create catalog' }).click()
    await page.getByRole('row', { name: /Night shift.*Main.*2/ }).waitFor()

    await page.getByRole('button', { name: 'Night shift', exact: true }).click()
    const again = page.getByRole('dialog', { name: 'Night shift' })
    await again.getByLabel('URL').fill('https://elsewhere.example/v1')
    await again.getByText('The stored key was for a different name').waitFor()
    await again.getByLabel('URL').fill('https://models.example/v2')
    await again.getByLabel('Models').fill('swift')
    await again.getByRole('button', { name: 'Save catalog' }).click()
    await page.getByRole('row', { name: /Night shift.*Main.*1/ }).waitFor()

    await page.getByRole('button', { name: 'New space' }).click()
    const space = page.getByRole('dialog', { name: 'New space' })
    await space.getByLabel('Name').fill('Warehouse')
    await space.getByText('Members only').click()
    await space.getByRole('combobox', { name: 'Add a person' }).fill('emil')
    await space.getByRole('option', { name: /Emil Novak/ }).click()
    await space.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('row', { name: /Warehouse.*1 member/ }).waitFor()

    await page.getByRole('button', { name: 'New credential' }).click()
    const credential = page.getByRole('dialog', { name: 'New credential' })
    await credential.getByLabel('Name').fill('Shop')
    await credential.getByLabel('Server').fill('https://shop.example')
    await credential.getByLabel('Token').fill('never-shown-again')
    await credential.getByRole('button', { name: 'Create credential' }).click()
    await page.getByRole('row', { name: /Shop.*Bearer token.*shop\.example/ }).waitFor()
    await inspect('workflow-catalogs')
    await page.getByRole('button', { name: 'Actions for Shop' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const asked = page.getByRole('alertdialog')
    await asked.getByText('No workflow uses it.').waitFor()
    await asked.getByRole('button', { name: 'Delete credential' }).click()
    await page.getByText('No credentials yet').waitFor()

    const listed = await admin.get('/api/v1/catalogs')
    expect(listed.text).not.toContain('sk-night')
    const prices = { swift: { input: 2.5, output: 2.5 } }
    expect(listed.body.items[0].entries).toEqual([
      expect.objectContaining({ has_key: true, model_ids: ['swift'], prices }),
    ])
    await page.getByRole('button', { name: 'Actions for Night shift' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete catalog' }).click()
    await page.getByText('No catalogs yet').waitFor()
    expect(problems).toEqual([])
  })
})
