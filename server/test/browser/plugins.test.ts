import { describe, expect, it, onTestFinished } from 'vitest'
import { atEnd } from '../harness/at-end.ts'
import { startMcpOAuth } from '../peers/mcp-oauth.ts'
import { startMcpServer } from '../peers/mcp-server.ts'
import { startSite } from '../peers/site.ts'
import { goTo, hasBrowser } from './browser.ts'
import { chatDesk, messageField, patient, replied, say, shown } from './chat-desk.ts'
import { sharedPage } from './shared-page.ts'

const { app, provider, person, sitDown } = await chatDesk()
const owner = await app.platformOwner()
const asOwner = sharedPage(app.url, owner)

const add = async (tree: 'functions' | 'tools', plugin: Record<string, unknown>) => {
  const { status, text } = await owner.post(`/api/v1/${tree}/create`, { is_active: true, ...plugin })
  if (status !== 201) throw new Error(text)
}

const asking = `export class Tools {
  /** Asks a person about everything. */
  async survey(args: { topic: string }, { __event_call__: ask, __event_emitter__: emit }) {
    await emit({ type: 'status', data: { description: 'Preparing', done: false } })
    await emit({ type: 'status', data: { description: 'Prepared', done: true } })
    const isSure = await ask({ type: 'confirmation', data: { title: 'Ask about ' + args.topic + '?', message: 'It takes a minute.' } })
    const name = await ask({ type: 'input', data: { title: 'Your name', placeholder: 'First name', value: 'Ana' } })
    const pin = await ask({ type: 'input', data: { title: 'Your PIN', type: 'password' } })
    const size = await ask({ type: 'input', data: { title: 'Which size?', type: 'select', options: ['A4', { value: 'a5', label: 'A5' }] } })
    const title = await ask({ type: 'execute', data: { code: 'return document.title.length > 0' } })
    const broken = await ask({ type: 'execute', data: { code: 'this is no code' } }).catch(({ message }) => message)
    await emit({ type: 'execute', data: { code: 'window.ranHere = 1' } })
    await emit({ type: 'source', data: { source: { name: 'Almanac' }, document: ['noon'], metadata: [{}] } })
    await emit({ type: 'source', data: { type: 'code_execution', id: '1', name: 'Sum', code: '1 + 1', language: 'javascript', result: { output: 'it is two' } } })
    await emit({ type: 'notification', data: { type: 'success', content: 'Survey finished' } })
    return { isSure, name, pin, size, title, broken }
  }
}`

const askingPipe = `export class Pipe {
  async pipe(body, { __event_call__ }) {
    return String(await __event_call__({ type: 'confirmation', data: { title: 'Still there?' } }))
  }
}`

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** True for each way out that is closed, written into the frame itself. */
const hostile = `<p id="out">trying</p><div style="height: 500px"></div><script>
  const found = []
  const attempt = (name, work) => { try { work(); found.push(name) } catch {} }
  attempt('parent', () => { parent.document.title = 'pwned' })
  attempt('storage', () => localStorage.setItem('pwned', '1'))
  attempt('cookie', () => { if (document.cookie) throw 0; document.cookie = 'pwned=1'; if (!document.cookie) throw 0 })
  attempt('top', () => { top.location.href = 'https://evil.test/' })
  parent.postMessage({ html: '<b>x</b>' }, '*')
  parent.postMessage({ type: 'iframe:height', height: 'tall' }, '*')
  const call = (method) => fetch(SERVER + '/api/v1/chats/', { method, credentials: 'include' }).then(() => found.push(method), () => undefined)
  Promise.all([call('GET'), call('POST')]).then(() => { document.getElementById('out').textContent = 'reached: ' + found.join(',') })
</script>`

/** Adds to a reply, and embeds a page that tries to get out. */
const embedding = `export class Action {
  async action(body, { __event_emitter__: emit }) {
    await emit({ type: 'message', data: { content: ' And more.' } })
    await emit({ type: 'files', data: { files: [{ type: 'image', name: 'A dot', url: '${dot}' }] } })
    await emit({ type: 'chat:title', data: 'Titled by a plugin' })
    await emit({ type: 'embeds', data: { embeds: ['<b>replaced</b>'] } })
    await emit({ type: 'embeds', data: { embeds: [${JSON.stringify(hostile.replace('SERVER', JSON.stringify(app.url)))}], replace: true } })
    return 'Embedded'
  }
}`.replaceAll('</script>', '<\\/script>')

/** Every event that changes a message or its chat, by its long name where it has two, and what the short names leave out. */
const everyEvent = (address: string) => `export class Action {
  async action(body, { __event_emitter__: emit }) {
    await emit({ type: 'chat:message', data: { content: 'Replaced.' } })
    await emit({ type: 'chat:message:delta', data: { content: ' Added.' } })
    await emit({ type: 'chat:completion', data: { seq: 1, choices: [{ delta: { content: ' Completed.' } }] } })
    await emit({ type: 'chat:completion', data: { sources: [{ source: { name: 'Gazette' }, document: ['noon'], metadata: [{}] }] } })
    await emit({ type: 'chat:message:files', data: { files: [{ type: 'image', name: 'A dot', url: '${dot}' }] } })
    await emit({ type: 'citation', data: { source: { name: 'Almanac' }, document: ['noon'], metadata: [{}] } })
    await emit({ type: 'citation', data: { type: 'code_execution', id: '1', name: 'Sum', code: '1 + 1' } })
    await emit({ type: 'status', data: { description: 'In plain sight', done: true } })
    await emit({ type: 'status', data: { description: 'Out of sight', done: true, hidden: true } })
    await emit({ type: 'chat:title', data: { title: 'Named by a plugin' } })
    await emit({ type: 'chat:tags', data: { tags: ['almanacs'] } })
    await emit({ type: 'chat:message:favorite', data: { favorite: true } })
    await emit({ type: 'embeds', data: { embeds: ['<p>cleared</p>'] } })
    await emit({ type: 'embeds', data: { embeds: [], replace: true } })
    await emit({ type: 'chat:message:embeds', data: { embeds: ['${address}'], replace: true } })
    for (const type of ['info', 'warning', 'error']) await emit({ type: 'notification', data: { type, content: 'A toast: ' + type } })
  }
}`

const distances = `/**
 * title: Distances
 */
export class Tools {
  static Valves = {
    key: { type: 'string', secret: true, title: 'API key' },
    unit: { type: 'string', enum: ['km', 'mi'], default: 'km', title: 'Unit' },
  }
  /** How far it is. */
  distance(args: { to: string }, { __valves__ }) {
    console.log('asked for ' + args.to)
    return args.to + ': 12 ' + __valves__.unit + (__valves__.key ? ' with a key' : '')
  }
}`
const personal = "export class Tools { static UserValves = { unit: { type: 'string', title: 'Unit' } }; look() {} }"

const tall = "<p>passing</p><script>parent.postMessage({ type: 'iframe:height', height: 432 }, '*')</script>"
const site = await startSite((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(tall)
})
atEnd(() => site.close())

// All of them before the page is loaded, which asks for plugins once a minute.
await add('tools', { id: 'survey_tool', name: 'Survey', content: asking })
await add('tools', { id: 'own_unit', name: 'Own unit', content: personal })
await add('functions', { id: 'asking_pipe', name: 'Asking', content: askingPipe })
await add('functions', { id: 'embedder', name: 'Embed it', content: embedding })
await add('functions', { id: 'every_event', name: 'Every event', content: everyEvent(site.origin) })

describe.runIf(hasBrowser)('plugins in a chat', () => {
  it('asks by dialogs, shows what a tool was given and found, and keeps the choice of tools', async () => {
    const { page, inspect, problems } = await sitDown()
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('checkbox', { name: /^Survey/ }).check()
    await page.keyboard.press('Escape')
    provider.script({ toolCalls: [{ name: 'survey', arguments: { topic: 'paper' } }] }, { text: 'Thank you.' })
    const sent = page.waitForRequest(/chat\/completions/)
    await say(page, 'Ask me')
    const { session_id } = (await sent).postDataJSON()

    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ask about paper?').waitFor()
    await inspect('chat-question', { isLive: true })
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByLabel('First name').fill('Zoé')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    expect(await dialog.getByLabel('Your PIN', { exact: true }).getAttribute('type')).toBe('password')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByLabel('Which size?').selectOption('A5')
    await dialog.getByRole('button', { name: 'Submit' }).click()

    await replied(page)
    await page.getByText('Survey finished').waitFor()
    expect(await page.evaluate(() => 'ranHere' in window)).toBe(true)
    const step = page.getByRole('list', { name: 'Tool calls' })
    await step.getByText('survey').click()
    await step.getByRole('figure', { name: 'Input' }).getByText('paper').waitFor()
    const output = step.getByRole('figure', { name: 'Output' })
    await output.getByText('Zoé').waitFor()
    expect(await output.textContent()).toMatch(/"pin": \{\s+"value": null.+a5.+Unexpected identifier/s)
    await page.getByText('Ran Sum').click()
    await shown(page, 'it is two').waitFor()
    await page.getByRole('button', { name: /Almanac/ }).waitFor()
    await inspect('chat-tools')
    // The code that is no JavaScript is reported by the page, too.
    expect(problems.filter((problem) => !/Unexpected identifier/.test(problem))).toEqual([])

    // On other pages too, and it closes when nobody waits for the answer any more.
    await page.getByRole('link', { name: 'Documents' }).first().click()
    await page.waitForURL(/documents/)
    const waiting = new AbortController()
    const body = JSON.stringify({ model: 'asking_pipe', messages: [{ role: 'user', content: 'Go' }], session_id })
    const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body, signal: waiting.signal }
    fetch(`${app.url}/api/chat/completions`, request).catch(() => undefined)
    await dialog.getByText('Still there?').waitFor()
    waiting.abort()
    await dialog.waitFor({ state: 'hidden' })

    await page.goBack()
    await page.getByRole('button', { name: 'Tools (1 on)' }).waitFor()
  })

  it('A31: what a plugin adds to a reply is shown; what it embeds runs, but reaches neither the page nor the API', async () => {
    const { page, context } = await sitDown()
    provider.script({ text: 'Here.' })
    await say(page, 'Show me')
    await replied(page)
    const before = await context.cookies()
    await page.getByRole('heading', { name: 'Sizes of paper' }).waitFor()
    await page.getByRole('button', { name: 'Embed it' }).click()
    await page.getByText('Embedded', { exact: true }).waitFor()
    await shown(page, 'Here. And more.').waitFor()
    await page.getByRole('img', { name: 'A dot' }).waitFor()
    await page.getByRole('heading', { name: 'Titled by a plugin' }).waitFor()
    const frame = page.locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts allow-popups allow-downloads')
    await expect.poll(() => page.frameLocator('iframe').locator('#out').textContent(), patient).toBe('reached: ')
    await expect.poll(async () => (await frame.boundingBox())?.height ?? 0, patient).toBeGreaterThan(500)
    expect(page.url()).toContain(`${app.url}/chat/`)
    expect(await page.title()).not.toContain('pwned')
    expect(await page.evaluate(() => localStorage.getItem('pwned'))).toBeNull()
    expect(await context.cookies()).toEqual(before)
    // Stored with the message: it is there again after a reload.
    await page.reload()
    await messageField(page).waitFor()
    await expect.poll(() => page.frameLocator('iframe').locator('#out').textContent(), patient).toBe('reached: ')
  })
})

describe.runIf(hasBrowser)('events of a plugin', () => {
  it('of every type are shown at once, and the stored ones are there after a reload', async () => {
    const { page } = await sitDown()
    provider.script({ text: 'Here.' })
    await say(page, 'Show me')
    await replied(page)
    // The model's title and tags come first, so that they replace nothing below.
    await page.getByRole('heading', { name: 'Sizes of paper' }).waitFor()
    const chatId = page.url().slice(-36)
    const tagged = async () =>
      (await person.get('/api/v1/chats?tag=paper')).body.items.map(({ id }: { id: string }) => id)
    await expect.poll(tagged, patient).toContain(chatId)
    await page.getByRole('button', { name: 'Every event' }).click()
    for (const type of ['info', 'warning', 'error']) await page.getByText(`A toast: ${type}`).waitFor()
    const embedded = page.frameLocator('iframe')
    await embedded.getByText('passing').waitFor()
    expect(await page.locator('iframe').count()).toBe(1)
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.height, patient).toBe(432)
    const isWhole = async () => {
      await shown(page, 'Replaced. Added. Completed.').waitFor()
      await page.getByRole('heading', { name: 'Named by a plugin' }).waitFor()
      await page.getByRole('img', { name: 'A dot' }).waitFor()
      await page.getByRole('img', { name: 'Favorite' }).waitFor()
      await page.getByText('Ran Sum').waitFor()
      for (const name of [/Gazette/, /Almanac/]) await page.getByRole('button', { name }).waitFor()
      // The last status is hidden, and takes the line with it.
      expect(await page.getByText(/sight$/).count()).toBe(0)
    }
    await isWhole()
    await page.reload()
    await messageField(page).waitFor()
    await isWhole()
    expect(await page.locator('iframe').count()).toBe(0)
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Filter by tag' }).click()
    await page.getByRole('menuitem', { name: /almanacs/ }).waitFor()
  })
})

/** Every way out of the sandbox that Python has through JavaScript, and what became of each. */
const escaping = `import js
from pyodide.code import run_js
reached = []
async def attempt(name, work):
    try:
        await work()
        reached.append(name)
    except BaseException:
        pass
async def own_origin(): await js.fetch('SERVER/api/v1/chats/')
async def other_origin(): await js.fetch('ELSEWHERE', mode='no-cors')
async def cookies(): js.document.cookie
async def storage(): await js.caches.open('x')
async def database(): js.indexedDB.open('x')
async def network():
    request = js.XMLHttpRequest.new()
    request.open('GET', 'ELSEWHERE', False)
    request.send()
async def sockets():
    import socket
    site = js.URL.new('ELSEWHERE')
    socket.create_connection((site.hostname, int(site.port))).recv(1)[0]
async def evaluate(): run_js('1')
async def page(): js.parent.document
for work in (own_origin, other_origin, cookies, storage, database, network, sockets, evaluate, page):
    await attempt(work.__name__, work)
print('reached:', reached, js.origin)
1 / 0`

describe.runIf(hasBrowser)('code in a chat', () => {
  it('A43: Python of a model runs in a frame without origin or network, and its result is shown', async () => {
    const { page, inspect, context } = await sitDown()
    await page.getByRole('button', { name: 'Tools' }).click()
    await page.getByRole('checkbox', { name: /^Code interpreter/ }).check()
    await page.keyboard.press('Escape')
    const elsewhere = await startSite((_request, response) => void response.end())
    onTestFinished(() => elsewhere.close())
    const code = escaping.replaceAll('SERVER', app.url).replaceAll('ELSEWHERE', elsewhere.origin)
    const block = '```js\nconsole.log({ a: 1 })\nwhile (true);\n```'
    provider.script({ toolCalls: [{ name: 'run_python', arguments: { code } }] }, { text: `Done.\n\n${block}` })
    const before = await context.cookies()
    await say(page, 'Try it')
    // The interpreter is loaded here, which takes long where others load the machine.
    await shown(page, 'Done.').waitFor({ timeout: 150_000 })
    await replied(page)
    const told = provider
      .calls()
      .findLast(({ body }) => body.messages.at(-1).role === 'tool')
      ?.body.messages.at(-1).content
    expect(told).toMatch(/^Error: reached: \[\] null\n\nTraceback.+"<exec>", line \d+.+ZeroDivisionError/s)
    expect(elsewhere.requests).toEqual([])
    expect(await context.cookies()).toEqual(before)
    await page.getByText('Ran Python').click()
    await page.getByRole('figure', { name: 'Output' }).getByText('reached: [] null').waitFor()

    const output = page.getByRole('status', { name: 'Output' })
    await page.getByRole('button', { name: 'Run' }).click()
    await output.getByText('"a": 1').waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await output.getByText('Stopped.').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await inspect('chat-code')
  }, 240_000)
})

describe.runIf(hasBrowser)('the pages of plugins', () => {
  it('take a plugin from an example to a working one: written, checked, set, tried, logged, turned off', async () => {
    const { page, inspect, problems } = await asOwner('/platform/plugins')
    await page.getByRole('link', { name: 'New plugin' }).click()
    const source = page.getByRole('textbox', { name: 'Source' })
    await source.waitFor()
    await page.getByLabel('Start from').selectOption({ label: 'HTTP request' })
    await source.getByText('fetch').first().waitFor()
    await page.getByLabel('Name').fill('Far away')
    await page.locator('input[type=file]').setInputFiles({
      name: 'distances.ts',
      mimeType: 'text/plain',
      buffer: Buffer.from(distances),
    })
    await source.getByText('asked for').waitFor()
    // Typed values stay; the others come from the file.
    expect(await page.getByLabel('Name').inputValue()).toBe('Far away')
    await page.getByLabel('Name').fill('Distances')
    expect(await page.getByLabel('ID', { exact: true }).inputValue()).toBe('distances')
    await inspect('plugin-new')
    await page.getByRole('button', { name: 'Create plugin' }).click()
    await page.getByText('Plugin “Distances” created').waitFor()

    // Of the plugin's own page, with another editor.
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await source.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n__event_e')
    await page.getByRole('option', { name: /__event_emitter__/ }).click()
    await page.keyboard.type('\nthis is broken')
    await page.locator('.cm-lint-marker-error').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/line \d+/)
      .waitFor()

    const show = (tab: string) => page.getByRole('radio', { name: tab }).check({ force: true })
    await show('Settings')
    await page.getByLabel('API key').fill('a secret')
    await page.getByLabel('Unit').selectOption('mi')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('A value is stored').waitFor()
    expect(await page.getByLabel('Unit').inputValue()).toBe('mi')
    await inspect('plugin-settings')
    await show('Try it')
    await page.getByLabel('Arguments').fill('{ "to": "Porto" }')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Porto: 12 mi with a key').waitFor()
    await show('Log')
    await page.getByText('asked for Porto').waitFor()

    await page.getByRole('link', { name: 'Plugins' }).first().click()
    await inspect('plugins')
    await page.getByRole('switch', { name: 'Distances on' }).click()
    await page.getByText('Distances turned off').waitFor()
    expect(problems).toEqual([])
  })

  it('add a tool server, test it, ask before its tools run, and let people connect their accounts', async () => {
    const [peer, own] = [
      await startMcpServer(() => [{ name: 'send' }], undefined, { hasOffers: true }),
      await startMcpOAuth(),
    ]
    const { page, inspect } = await asOwner('/platform/tool-servers')
    await page.getByRole('button', { name: 'New tool server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Mail room')
    await dialog.getByLabel('ID', { exact: true }).fill('mail')
    await dialog.getByLabel('URL').fill(peer.url)
    await dialog.getByLabel('Headers').fill('X-User: {{USER_EMAIL}}')
    await dialog.getByRole('button', { name: 'Test server' }).click()
    await dialog.getByText('mail_send').first().waitFor()
    await dialog.getByText('Almanac').waitFor()
    await dialog.getByRole('switch', { name: 'Ask before each call' }).check()
    await inspect('tool-server')
    await dialog.getByRole('button', { name: 'Add tool server' }).click()
    await page.getByText('Working').waitFor()

    await page.getByRole('button', { name: 'New tool server' }).click()
    await dialog.getByLabel('ID', { exact: true }).fill('own')
    await dialog.getByLabel('URL').fill(own.url)
    await dialog.getByLabel('Authentication').selectOption('oauth_2.1')
    await dialog.getByRole('button', { name: 'Add tool server' }).click()
    await page.getByText('Each person signs in', { exact: true }).waitFor()
    await inspect('tool-servers')

    const ana = await sitDown()
    await goTo(ana.page, '/account/plugins')
    const href = await ana.page.getByRole('link', { name: 'Connect own' }).getAttribute('href')
    // This app has no address of its own that the server could send the browser back to, so the test takes its place.
    const start = await person.get(href ?? '')
    const back = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
    const { pathname, search } = new URL(back.headers.get('location') ?? '')
    await ana.page.goto(app.url + pathname + search)
    await ana.page.getByRole('button', { name: 'Disconnect own' }).waitFor()

    await goTo(ana.page, '/chat?models=swift')
    await messageField(ana.page).fill('/gre')
    await ana.page.getByRole('option', { name: /greet.*Mail room/ }).click()
    await ana.page.getByRole('dialog').getByLabel('who').fill('Bob')
    await ana.page.getByRole('button', { name: 'Insert' }).click()
    await expect.poll(() => messageField(ana.page).inputValue()).toBe('Greet Bob.')
    await messageField(ana.page).fill('#alm')
    await ana.page.getByRole('option', { name: /Almanac.*Mail room/ }).click()
    await ana.page.getByRole('button', { name: 'Remove Almanac.txt' }).click()
    await ana.page.getByRole('button', { name: 'Tools' }).click()
    await ana.page.getByRole('checkbox', { name: /^Mail room/ }).check()
    await ana.page.keyboard.press('Escape')
    provider.script({ toolCalls: [{ name: 'mail_send', arguments: { to: 'bob' } }] }, { text: 'Not sent.' })
    await say(ana.page, 'Send it')
    await ana.page.getByRole('dialog').getByText('bob').waitFor()
    await ana.page.getByRole('button', { name: 'Decline' }).click()
    await shown(ana.page, 'Not sent.').waitFor()
    await replied(ana.page)
    await ana.page.getByRole('list', { name: 'Tool calls' }).getByText('mail_send').click()
    await shown(ana.page, 'The user declined').waitFor()
  })

  it('let each person set up a plugin for themselves', async () => {
    const { page } = await sitDown()
    await goTo(page, '/account/plugins')
    await page.getByRole('region', { name: 'Own unit' }).getByLabel('Unit').fill('ell')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings of “Own unit” saved').waitFor()
    expect((await person.get('/api/v1/tools/id/own_unit/valves/user')).body).toEqual({ valves: { unit: 'ell' } })
  })

  it('ask before an MCP client is let in, and send the browser back to it with a code', async () => {
    const client = await startSite((_request, response) => void response.end('Signed in.'))
    onTestFinished(() => client.close())
    const redirect_uri = `${client.origin}/callback`
    const registration = { client_name: 'Desk assistant', redirect_uris: [redirect_uri] }
    const { client_id } = (await app.newcomer().post('/api/public/mcp/register', registration)).body
    const code_challenge = 'c'.repeat(43)
    const asked = {
      client_id,
      redirect_uri,
      response_type: 'code',
      code_challenge,
      code_challenge_method: 'S256',
      state: 's',
    }
    const { page, inspect } = await sitDown()
    await goTo(page, `/account/connect?${new URLSearchParams({ ...asked, redirect_uri: 'https://evil.test/' })}`)
    await page.getByRole('alert').getByText('not valid').waitFor()
    await goTo(page, `/account/connect?${new URLSearchParams(asked)}`)
    await page.getByText(`sent to ${new URL(client.origin).host}`).waitFor()
    await inspect('connect-application')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/callback\?code=[\w-]+&state=s$/)
  })
})
