import { buffer as bytesOf } from 'node:stream/consumers'
import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { finished, startByHand } from '../harness/runs.ts'
import { chain, makePublished, makeWorkflow, node, publishWorkflow, workflowsPath } from '../harness/workflows.ts'
import { goTo, hasBrowser } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { sharedPage } from './shared-page.ts'

const app = await browserApp()
const ana = await app.user({ name: 'Ana Pereira' })
const asAna = sharedPage(app.url, ana)

const saved = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor()
const nodeOf = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`: ${name}(,|$)`) })
const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name: `Settings of ${name}` })
const pathOf = (page: Page) => `${workflowsPath}/${new URL(page.url()).pathname.split('/')[2]}`
const graphOf = async (page: Page) => (await ana.get(pathOf(page))).body.graph
const edgesOf = async (page: Page): Promise<string[]> =>
  (await graphOf(page)).edges.map(
    (edge: { source: string; target: string; source_handle?: string }) =>
      `${edge.source}${edge.source_handle ? `:${edge.source_handle}` : ''}>${edge.target}`,
  )

/** By hand, as a mouse would. */
const drag = async (page: Page, from: Locator, to: Locator) => {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2 - 5, end.y + end.height / 2, { steps: 4 })
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2)
  await page.mouse.up()
}

describe.runIf(hasBrowser)('the workflow editor', () => {
  it('makes a workflow from a template, and leads to what is left to fill in', async () => {
    const { page, inspect, problems } = await asAna('/workflows')
    await page.getByText('No workflows yet').waitFor()
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New workflow' })
    await dialog.getByText('Triage with approval').click()
    await dialog.getByText('To fill in: model of “Sort”').waitFor()
    await inspect('workflow-new')
    await dialog.getByLabel('Name').fill('Sort requests')
    await dialog.getByRole('button', { name: 'Create workflow' }).click()

    await page.getByRole('heading', { level: 1, name: 'Sort requests' }).waitFor()
    await page.getByRole('button', { name: '1 problem' }).click()
    await page.getByRole('button', { name: /^Sort · Model/ }).click()
    await page.waitForURL('**node=sort')
    const model = panelOf(page, 'Sort').getByLabel('Model')
    await expect.poll(() => model.evaluate((field) => field === document.activeElement)).toBe(true)
    await inspect('workflow-editor')
    await model.fill('guide')
    await page.getByRole('button', { name: 'No problems' }).waitFor()

    // A node from the palette is dropped, one is added by name behind it, and a third is joined by hand.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close settings' }).click()
    await page.getByRole('button', { name: 'Transform' }).dragTo(page.locator('.react-flow__pane'), {
      targetPosition: { x: 120, y: 560 },
    })
    await panelOf(page, 'Transform').getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Field name 1').fill('seen')
    await page.getByLabel('Field expression 1').fill('True')
    await nodeOf(page, 'Transform').focus()
    await page.keyboard.press('a')
    await page.getByRole('combobox', { name: 'Search nodes' }).fill('pause')
    await page.keyboard.press('Enter')
    await panelOf(page, 'Wait').waitFor()
    await page.getByRole('button', { name: 'Close settings' }).click()
    await drag(
      page,
      nodeOf(page, 'Wait').locator('.react-flow__handle.source').last(),
      nodeOf(page, 'File').locator('.react-flow__handle.target'),
    )
    await saved(page)
    expect(await edgesOf(page)).toEqual(expect.arrayContaining(['shape>wait', 'wait:expired>file', 'ask:expired>file']))
    expect(problems).toEqual([])
  })

  it('finds the collections of an agent by name, and shows what is chosen by name', async () => {
    const make = async (name: string): Promise<string> =>
      (await ana.post('/api/v1/knowledge/create', { name, description: '' })).body.id
    const [tea, travel] = [await make('Tea rules'), await make('Travel rules')]
    const gone = await make('Gone')
    await ana.delete(`/api/v1/knowledge/${gone}/delete`)
    const agent = node('agent', { model: 'guide', knowledge: [tea, gone] }, 'agent')
    const { id } = await makeWorkflow(ana, { nodes: [agent], edges: [], settings: {} }, 'Answers')
    const { page, inspect, problems } = await asAna(`/workflows/${id}?node=agent`)
    const panel = panelOf(page, 'Node agent')
    const selected = panel.getByRole('list', { name: 'Knowledge, selected' })
    await selected.getByText('Tea rules').waitFor()
    await selected.getByText(`Collection not found (${gone})`).waitFor()
    await panel.getByRole('button', { name: `Remove Collection not found (${gone})` }).click()
    const search = panel.getByRole('combobox', { name: 'Knowledge' })
    await search.fill('rules')
    await panel.getByRole('option', { name: 'Travel rules' }).waitFor()
    expect(await panel.getByRole('option', { name: 'Tea rules' }).count()).toBe(0)
    await inspect('workflow-agent-knowledge')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await selected.getByText('Travel rules').waitFor()
    await saved(page)
    expect((await graphOf(page)).nodes[0].config.knowledge).toEqual([tea, travel])
    // The only refused request is the one for a collection that can't be read.
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

  it('takes back, does again, copies, pastes and deletes by key', async () => {
    const call = node('call', { url: 'https://service.example.com' }, 'http_request')
    const graph = chain('a', 'b')
    const { id } = await makeWorkflow(ana, { ...graph, nodes: [...graph.nodes, call] }, 'By key')
    const { page, problems } = await asAna(`/workflows/${id}`)
    await nodeOf(page, 'Node a').focus()
    await page.keyboard.press('Enter')
    const name = panelOf(page, 'Node a').getByLabel('Name', { exact: true })
    await name.fill('First')
    await nodeOf(page, 'First').waitFor()
    await page.keyboard.press('Control+z')
    await nodeOf(page, 'Node a').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await nodeOf(page, 'First').focus()

    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Control+v')
    await page.locator('.react-flow__node-card').nth(5).waitFor()
    await saved(page)
    expect(await edgesOf(page)).toEqual(['a>b', 'a_2>b_2'])
    await page.keyboard.press('Delete')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Delete')
    await expect.poll(() => page.locator('.react-flow__node-card').count()).toBe(3)

    // A node is moved by hand, and its secret is seen by nobody once it is saved.
    const before = (await nodeOf(page, 'Node call').boundingBox())?.y ?? 0
    await nodeOf(page, 'Node call').hover()
    await page.mouse.down()
    await page.mouse.move(700, 700, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await nodeOf(page, 'Node call').boundingBox())?.y).not.toBe(before)
    await nodeOf(page, 'Node call').click()
    const secret = panelOf(page, 'Node call').getByLabel('Authorization')
    await secret.fill('Bearer open sesame')
    await secret.press('Escape')
    await expect.poll(() => secret.getAttribute('placeholder')).toBe('Saved (hidden)')
    expect(await secret.inputValue()).toBe('')
    await saved(page)
    expect(await edgesOf(page)).toEqual(['a>b'])
    const [, , kept] = (await graphOf(page)).nodes
    expect(kept).toMatchObject({ id: 'call', config: { authorization: '••••••' } })
    expect(kept.position).not.toEqual({ x: 0, y: 0 })
    expect(problems).toEqual([])
  })

  it('keeps what cannot be read where it was typed, and says that it is not saved', async () => {
    const tell = node('tell', { event_type: 'order_received' }, 'emit_event')
    const graph = chain('a')
    const { id } = await makeWorkflow(ana, { ...graph, nodes: [...graph.nodes, tell] }, 'Half typed')
    const { page, problems } = await asAna(`/workflows/${id}?node=tell`)
    const payload = panelOf(page, 'Node tell').getByRole('textbox', { name: 'Payload' })
    await payload.fill('{"order": ')
    await page.getByText('This isn’t valid JSON. Check line 1, column 11.').waitFor()
    await page.getByRole('status').filter({ hasText: '1 field not saved' }).waitFor()

    // Another node is looked at and changed, which saves, and loses nothing of the first.
    await nodeOf(page, 'Node a').click()
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Field expression 2').fill('1 + 1')
    await page.getByRole('status').filter({ hasText: '2 fields not saved' }).waitFor()
    await page.getByRole('group', { name: /Node tell.*1 to fix/ }).click()
    expect(await payload.inputValue()).toBe('{"order": ')
    await nodeOf(page, 'Node a').click()
    expect(await page.getByLabel('Field expression 2').inputValue()).toBe('1 + 1')
    await page.getByLabel('Field name 2').fill('sum')
    await page.getByLabel('Field name 2').press('Enter')
    await page.getByRole('status').filter({ hasText: '1 field not saved' }).waitFor()
    expect((await graphOf(page)).nodes[0].config.fields).toEqual({ seen: 'True', sum: '1 + 1' })

    await page.getByRole('link', { name: 'Versions' }).click()
    const warning = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await warning.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: '1 problem' }).click()
    await page.getByRole('button', { name: /^Node tell · Payload/ }).click()
    await expect.poll(() => payload.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await payload.inputValue()).toBe('{"order": ')
    await page.keyboard.press('End')
    await page.keyboard.type('1}')
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await saved(page)
    expect((await graphOf(page)).nodes[1].config).toMatchObject({ payload: { order: 1 } })

    // The settings of the whole keep what was typed into them as well.
    await page.getByRole('button', { name: 'Workflow settings' }).click()
    const deadline = page.getByRole('textbox', { name: 'Run deadline' })
    await deadline.fill('soon')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: '1 problem' }).click()
    await page.getByRole('button', { name: /^Workflow settings · Run deadline/ }).click()
    expect(await deadline.inputValue()).toBe('soon')
    await deadline.fill('')
    await page.getByRole('button', { name: 'Done' }).click()
    await saved(page)
    expect(problems).toEqual([])
  })

  it('takes code in a node, and shows what it logged and how its runs went', async () => {
    const { id } = await makeWorkflow(ana, { nodes: [node('sum', { code: 'return 1' }, 'code')], edges: [] }, 'Sums')
    const { page, inspect, problems } = await asAna(`/workflows/${id}?node=sum`)
    const code = panelOf(page, 'Node sum').getByRole('textbox', { name: 'Code' })
    await code.fill('return (')
    await panelOf(page, 'Node sum').getByText("isn't valid JavaScript (line 1)").waitFor()
    await code.fill('console.log("adding", input.length)\nreturn input.reduce((sum, n) => sum + n)')
    await page.getByRole('button', { name: 'No problems' }).waitFor()
    await saved(page)
    await publishWorkflow(ana, id)

    // The editor has asked for recent runs already; the list hears of new ones all the same.
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByText('No runs yet').waitFor()
    for (const input of [[1, 2], 'none']) await finished(ana, (await startByHand(ana, id, input)).body.id)
    await page.getByRole('button', { name: 'Status' }).click()
    await page.getByRole('checkbox', { name: 'Succeeded' }).check()
    await page.keyboard.press('Escape')
    const runs = page.getByRole('table', { name: 'Runs' }).getByRole('row')
    await expect.poll(() => runs.count()).toBe(2)
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click()
    await nodeOf(page, 'Node sum').click()
    await page.getByRole('region', { name: 'Console' }).getByText('adding 2').waitFor()

    await page.getByRole('link', { name: 'Statistics' }).click()
    await page.getByRole('table', { name: 'Statistics by time' }).getByRole('row', { name: /50 %/ }).waitFor()
    // There are no halves of a run.
    const ticks = page.locator('figure').first().locator('.recharts-yAxis-tick-labels text')
    await ticks.nth(1).waitFor({ state: 'attached' })
    for (const text of await ticks.allTextContents()) expect(text).toMatch(/^\d+$/)
    await inspect('workflow-statistics')
    expect(problems).toEqual([])
  })

  it('tries one node on a sample, and shows the result beside it', async () => {
    const graph = chain('a', 'b')
    const sum = node('b', { fields: { sum: 'input["n"] + 1' } })
    const { id } = await makeWorkflow(ana, { ...graph, nodes: [...graph.nodes.slice(0, 1), sum] }, 'Tried by node')
    const { page, inspect, problems } = await asAna(`/workflows/${id}?node=b`)
    await page.getByRole('button', { name: 'Test this node' }).click()
    const test = page.getByRole('region', { name: 'Test this node' })
    await test.getByLabel('Sample').fill('{"a": {"n": 20}}')
    await test.getByRole('button', { name: 'Run this node' }).click()
    const result = test.getByRole('region', { name: 'Result of the test' })
    await result.getByText('21', { exact: true }).waitFor()

    // Below 1200 pixels the rail and the palette fold, so that the canvas keeps most of the window.
    const panel = await panelOf(page, 'Node b').ariaSnapshot()
    for (const line of ['textbox "Name": Node b', 'group "Fields"', 'textbox "Field expression 1"'])
      expect(panel).toContain(line)
    const canvasWidth = async () => (await page.locator('.react-flow').boundingBox())?.width ?? 0
    await page.setViewportSize({ width: 1024, height: 850 })
    await expect.poll(canvasWidth).toBeGreaterThan(580)
    await page.setViewportSize({ width: 1360, height: 850 })
    await page.getByRole('navigation', { name: 'Node types' }).waitFor()

    // Names of the run are completed while they are typed.
    const expression = page.getByLabel('Field expression 1')
    await expression.fill('sta')
    await page.getByRole('option', { name: 'state' }).waitFor()
    await page.keyboard.press('Enter')
    await expression.pressSequentially('[')
    await page.getByRole('option', { name: 'state["a"]' }).waitFor()
    await inspect('workflow-completion')
    await page.keyboard.press('Enter')
    expect(await expression.inputValue()).toBe('state["a"]')

    // A change that was just typed is tried too, and the sample is still there after a reload.
    await page.getByLabel('Field expression 1').fill('input["missing"]')
    await test.getByRole('button', { name: 'Run this node' }).click()
    await result.getByText(/KeyError/).waitFor()
    // A path that leads nowhere is a hint at its field and in the list, and no problem.
    await panelOf(page, 'Node b').getByText('Recent runs and the settings show no input["missing"].').waitFor()
    await page.getByRole('button', { name: '1 hint' }).waitFor()
    const { body: run } = await ana.post(`${workflowsPath}/${id}/test-runs`, { outputs: { a: { n: 5 } } })
    await finished(ana, run.id)
    await page.reload()
    await page.getByRole('button', { name: 'Test this node' }).click()
    expect(await test.getByLabel('Sample').inputValue()).toBe('{"a": {"n": 20}}')
    // The outputs of an earlier run, here of a test of the whole draft, fill the sample.
    await test.getByLabel('Fill with the outputs of a run').selectOption(run.id)
    await expect.poll(() => test.getByLabel('Sample').inputValue()).toContain('"n": 5')
    expect(problems).toEqual([])
  })

  it('lays the graph out, and shows the whole of it in small', async () => {
    const graph = chain('a', 'b', 'c', 'd')
    const positions = [900, 0, 300, 0].map((x, index) => ({ x, y: index * 200 }))
    const nodes = graph.nodes.map((one, index) => ({ ...one, position: positions[index] ?? one.position }))
    const { id } = await makeWorkflow(ana, { ...graph, nodes }, 'Scattered')
    const { page, problems } = await asAna(`/workflows/${id}`)
    const positionsOf = async () =>
      (await graphOf(page)).nodes.map((one: { position: { x: number; y: number } }) => one.position)
    await nodeOf(page, 'Node a').waitFor()
    await page.keyboard.press('l')
    await expect.poll(positionsOf).not.toEqual(positions)
    const columns: number[] = (await positionsOf()).map(({ x }: { x: number }) => x)
    for (const [index, x] of columns.slice(1).entries()) expect(x - (columns[index] ?? 0)).toBeGreaterThan(200)
    const boxes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => nodeOf(page, `Node ${name}`).boundingBox()))
    for (const [index, box] of boxes.slice(1).entries()) {
      const before = boxes[index]
      if (!box || !before) throw new Error('a card is out of sight')
      expect(box.x).toBeGreaterThan(before.x + before.width)
    }

    const map = page.getByRole('img', { name: 'Mini Map' })
    // The Start node is one of them.
    expect(await map.locator('.react-flow__minimap-node').count()).toBe(5)
    const viewOf = () => page.locator('.react-flow__viewport').getAttribute('style')
    const view = await viewOf()
    const at = await map.boundingBox()
    if (!at) throw new Error('there is no map')
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2)
    await page.mouse.down()
    await page.mouse.move(at.x + at.width / 2 + 30, at.y + at.height / 2 + 10, { steps: 3 })
    await page.mouse.up()
    await expect.poll(viewOf).not.toBe(view)
    await page.keyboard.press('f')
    await expect.poll(viewOf).toBe(view)

    await page.keyboard.press('Control+z')
    await expect.poll(positionsOf).toEqual(positions)
    await page.getByRole('button', { name: 'Tidy up' }).click()
    await expect.poll(positionsOf).not.toEqual(positions)
    expect(problems).toEqual([])
  })

  it('saves nothing over what somebody else did meanwhile, and lets one decide', async () => {
    const { id } = await makeWorkflow(ana, chain('a', 'b'), 'Shared')
    const { page } = await asAna(`/workflows/${id}?node=a`)
    const name = page.getByLabel('Name', { exact: true })
    const names = async (): Promise<string[]> => (await graphOf(page)).nodes.map((one: { name: string }) => one.name)
    const renameElsewhere = async (newName: string) => {
      const { nodes, edges, settings } = await graphOf(page)
      const graph = { nodes: [nodes[0], { ...nodes[1], name: newName }], edges, settings }
      expect((await ana.put(pathOf(page), { graph })).status).toBe(200)
    }
    await name.waitFor()
    await renameElsewhere('Theirs')
    await name.fill('Mine')
    await page.getByText('Not saved: conflict').waitFor()
    await page.getByRole('link', { name: 'All workflows' }).click()
    const warning = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await warning.getByRole('button', { name: 'Cancel' }).click()
    await warning.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await nodeOf(page, 'Theirs').waitFor()
    await saved(page)
    await page.getByRole('button', { name: 'Undo' }).click()
    await nodeOf(page, 'Mine').waitFor()
    await saved(page)
    expect(await names()).toEqual(['Mine', 'Node b'])

    await renameElsewhere('Theirs again')
    await name.fill('Mine too')
    await page.getByText('Not saved: conflict').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await saved(page)
    expect(await names()).toEqual(['Mine too', 'Node b'])

    // Leaving loses nothing: what was typed last is sent on the way out.
    await name.fill('Mine again')
    await page.getByRole('link', { name: 'All workflows' }).click()
    await page.getByRole('link', { name: 'Shared' }).waitFor()
    await expect.poll(async () => (await ana.get(`${workflowsPath}/${id}`)).body.graph.nodes[0].name).toBe('Mine again')

    // A change that the server does not take is asked about, whichever way one leaves.
    await page.getByRole('link', { name: 'Shared' }).click()
    await nodeOf(page, 'Mine again').click()
    await page.route(`**${workflowsPath}/${id}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await name.fill('Never sent')
    await page.getByRole('status').filter({ hasText: 'Not saved' }).waitFor()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const ask = await asked
    expect(ask.type()).toBe('beforeunload')
    await ask.dismiss()
    await page.getByRole('link', { name: 'All workflows' }).click()
    await warning.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('link', { name: 'Shared' }).waitFor()
    expect((await ana.get(`${workflowsPath}/${id}`)).body.graph.nodes[0].name).toBe('Mine again')
  })

  it('lists what there is, hands it out as a file, runs it and deletes it by name', async () => {
    await makeWorkflow(ana, chain('a'), 'Never published')
    const live = await makePublished(ana, { nodes: [node('only')], edges: [] })
    // Sorted, the list is asked for; the usual one is cached, and would be asked for again after ten seconds.
    const { page, inspect, problems } = await asAna('/workflows?sort=name')
    const row = page.getByRole('row', { name: /A workflow/ })
    await row.getByText('live', { exact: true }).waitFor()
    await row.getByRole('link', { name: 'A workflow' }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run “A workflow”' })
    await dialog.getByLabel('Input').fill('{"a": ')
    await dialog.getByRole('button', { name: 'Start run' }).click()
    await dialog.getByText('This isn’t valid JSON').waitFor()
    await dialog.getByLabel('Input').fill('{"a": 1}')
    // The run is started, but nobody learns of it: asked again, it is the same run.
    const loseAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route(`**${workflowsPath}/${live.id}/runs`, loseAnswer, { times: 1 })
    await dialog.getByRole('button', { name: 'Start run' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Start run' }).click()
    await page.waitForURL(`**/workflows/${live.id}/runs/*`)
    expect((await ana.get(`${workflowsPath}/${live.id}/runs`)).body.data).toHaveLength(1)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const test = page.getByRole('dialog', { name: 'Test “A workflow”' })
    await test.getByLabel('Don’t reach other systems or people').waitFor()
    await test.getByRole('button', { name: 'Start test' }).click()
    await page.getByText('Test of the draft').waitFor()
    await goTo(page, '/workflows?status=Published')
    await row.getByRole('img', { name: /Last runs, newest first: (succeeded|running|queued)/ }).waitFor()
    await page.getByText('All', { exact: true }).click()
    await page.getByRole('row', { name: /Never published/ }).waitFor()
    await inspect('workflows')

    await page.getByRole('button', { name: 'Actions for A workflow' }).click()
    const started = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export' }).click()
    const download = await started
    expect(download.suggestedFilename()).toBe('a-workflow.workflow.json')
    const file = (await bytesOf(await download.createReadStream())).toString()
    expect(JSON.parse(file)).toMatchObject({
      format: 'chancery-workflow',
      name: 'A workflow',
      graph: { nodes: [{ id: 'only' }] },
    })
    await page.keyboard.press('n')
    await page.getByLabel('Workflow file').setInputFiles({
      name: 'taken.json',
      mimeType: 'application/json',
      buffer: Buffer.from(file.replace('A workflow', 'Taken in')),
    })
    await page.getByRole('heading', { level: 1, name: 'Taken in' }).waitFor()
    await page.getByRole('link', { name: 'All workflows' }).click()
    await page.getByRole('button', { name: 'Actions for A workflow' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const ask = page.getByRole('dialog', { name: 'Delete “A workflow”?' })
    await ask.getByRole('button', { name: 'Delete workflow' }).click()
    await ask.getByLabel('Name').fill('A workflow')
    await ask.getByRole('button', { name: 'Delete workflow' }).click()
    await page.getByText('“A workflow” deleted').waitFor()
    await ask.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    expect((await ana.get(`${workflowsPath}/${live.id}`)).status).toBe(404)
    expect(problems.filter((problem) => !problem.includes('net::ERR_FAILED'))).toEqual([])
  })
})
