import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pngOf } from '../harness/pdfs.ts'
import { gate } from '../peers/model-provider.ts'
import { goTo, hasBrowser } from './browser.ts'
import { chatDesk, messageField, patient, replied, replies, say, sendMessage, shown, storing } from './chat-desk.ts'

const { app, provider, sitDown } = await chatDesk()

/** Addresses that answered 404. */
const missingIn = (page: Page): string[] => {
  const missing: string[] = []
  page.on('response', (response) => response.status() === 404 && missing.push(response.url()))
  return missing
}

/** Until the function that it returns is called. */
const holdRequests = async (page: Page, path: RegExp): Promise<() => void> => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** The words of code that have a color. */
const colored = (page: Page, hasText = '') => page.locator('.code-block code span[style*="color"]', { hasText })

const rich = `## Paper

A sheet of **A4** measures 210 × 297 mm, so its sides stand as $1 : \\sqrt{2}$. It costs $5 or $10.

| Size | Width | Height |
| ---- | ----: | -----: |
| A4   |   210 |    297 |
| A5   |   148 |    210 |

\`\`\`ts
// Half of a sheet has the same shape.
export const half = ({ width, height }: Sheet): Sheet => ({ width: height / 2, height: width })
\`\`\`

\\[ \\frac{a}{b} = \\frac{b}{a/2} \\]

\`\`\`mermaid
flowchart LR
  A3 --> A4 --> A5
\`\`\`

- [x] measured
- [ ] cut

> Paper is patient.
`

describe.runIf(hasBrowser)('the chat screen', () => {
  it('greets, and talks with the guide where no model is needed', async () => {
    const { page, inspect, problems } = await sitDown('/chat?models=guide')
    await inspect('chat-new')
    await page.getByRole('button', { name: 'How do I connect a model?' }).waitFor()
    // A message sent before the models are known waits for them, and for a file that is attached meanwhile.
    const releaseModels = await holdRequests(page, /\/api\/models$/)
    const releaseFiles = await holdRequests(page, /\/api\/v1\/files\//)
    await page.reload()
    await messageField(page).fill('How do I connect a model?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending as soon as the models are loaded…').waitFor()
    const file = { name: 'dot.png', mimeType: 'image/png', buffer: pngOf(1) }
    await page.getByLabel('Attached files').setInputFiles(file)
    releaseModels()
    await page.getByText('Sending as soon as the files are ready…').waitFor()
    releaseFiles()
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    await replied(page)
    await page.getByRole('img', { name: 'dot.png' }).waitFor()
    expect(problems).toEqual([])
  })

  it('keeps the files of a draft over a reload, and sends them with Enter as soon as they are read', async () => {
    const { page, problems } = await sitDown()
    const attached = page.getByRole('list', { name: 'Attachments' })
    await messageField(page).fill('Read these')
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('It is noon.') }
    const picture = { name: 'dot.png', mimeType: 'image/png', buffer: pngOf(1) }
    await page.getByLabel('Attached files').setInputFiles([notes, picture])
    await expect.poll(() => attached.locator('li[aria-busy=false]').count(), patient).toBe(2)
    const releaseStatus = await holdRequests(page, /\/process\/status$/)
    await page.reload()
    await attached.getByText('dot.png').waitFor()
    await attached.getByText('Reading…').waitFor()
    await messageField(page).press('Enter')
    await page.getByText('Sending as soon as the files are ready…').waitFor()
    releaseStatus()
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    await shown(page, 'Read these').first().waitFor()
    await page.getByRole('img', { name: 'dot.png' }).waitFor()
    await page.getByText('notes.txt').first().waitFor()
    await replied(page)
    await page.getByRole('link', { name: 'New chat' }).first().click()
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    expect(await attached.count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('shows a reply while it is written, then whole, with its title and what to ask next', async () => {
    const { page, inspect, problems } = await sitDown()
    const foreign: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== app.url) foreign.push(request.url())
    })
    // The colors of the code's beginning are asked for, and come when more of it is there.
    const releaseColors = await holdRequests(page, /\/typescript-[^/]+\.js$/)
    const hold = gate()
    const cuts = ['A sheet', '| A5', 'export const half', '\\\\['].map((start) => rich.indexOf(start))
    provider.script({ chunks: [0, ...cuts].map((cut, index) => rich.slice(cut, cuts[index])), gate: hold })
    await say(page, 'Tell me about sizes of paper')
    await shown(page, 'Tell me about sizes of paper').first().waitFor()
    hold.open()
    await page.getByRole('heading', { level: 2, name: 'Paper', exact: true }).waitFor()
    hold.open()
    await page.getByRole('cell', { name: '297' }).waitFor()
    expect(await page.getByRole('cell', { name: '148' }).count()).toBe(0)
    hold.open()
    await page.locator('.code-block code', { hasText: 'Half of a sheet' }).waitFor()
    hold.open()
    await page.locator('.code-block code', { hasText: 'export const half' }).waitFor()
    releaseColors()
    await colored(page, 'export').waitFor()
    hold.openForGood()
    await replied(page)
    await page.getByRole('heading', { level: 1, name: 'Sizes of paper' }).waitFor()
    await page.getByRole('button', { name: 'Which size is a business card?' }).waitFor()
    await page.getByRole('img', { name: 'Diagram' }).waitFor()
    await page.locator('.katex').first().waitFor()
    await colored(page, 'export').waitFor()
    await expect.poll(() => colored(page).count(), patient).toBeGreaterThan(5)
    await inspect('chat-rich')
    expect(await shown(page, 'It costs $5 or $10.').count()).toBe(1)
    expect(foreign).toEqual([])
    expect(problems).toEqual([])
  })

  it('colors code again after the highlighter could not be loaded', async () => {
    const { page } = await sitDown()
    await page.route(/\/highlight\.worker-/, (route) => route.abort(), { times: 1 })
    for (const name of ['first', 'second']) {
      provider.script({ text: `\`\`\`ts\nconst ${name} = 1\n\`\`\`\n` })
      await say(page, name)
      await page.locator('.code-block code', { hasText: name }).waitFor()
      await replied(page)
    }
    await colored(page, 'second').waitFor()
  })

  it('stops a reply, edits a message into a branch and a reply in place, and shows the same after a reload', async () => {
    const { page, inspect, problems } = await sitDown()
    const missing = missingIn(page)
    const hold = gate()
    provider.script({ chunks: ['The first half', ' and the second.'], gate: hold })
    await say(page, 'Go on')
    hold.open()
    await shown(page, 'The first half').waitFor()
    await messageField(page).press('Escape')
    await shown(page, 'Stopped').waitFor()
    hold.openForGood()

    provider.script({ text: 'About red.' })
    await say(page, 'Red')
    await shown(page, 'About red.').waitFor()
    await replied(page)
    await messageField(page).press('ArrowUp')
    await page.getByLabel('Edit your message').fill('Blue')
    provider.script({ text: 'About blue.' })
    await page.getByLabel('Edit your message').press('Enter')
    await shown(page, 'About blue.').waitFor()
    await shown(page, '2/2').waitFor()
    await replied(page)
    await page.getByRole('button', { name: 'Edit reply' }).last().click()
    await page.getByLabel('Edit the reply').fill('About navy.')
    await inspect('chat-edit-reply')
    await storing(page, () => page.getByRole('button', { name: 'Save' }).click())
    await storing(page, () => page.getByRole('button', { name: 'Previous version' }).click())
    await shown(page, 'About red.').waitFor()
    await shown(page, '1/2').waitFor()
    // A draft is kept too, apart for each chat.
    expect(await messageField(page).inputValue()).toBe('')
    await messageField(page).fill('A second thought')

    await page.reload()
    await shown(page, 'About red.').waitFor()
    await shown(page, 'Stopped').waitFor()
    expect(await replies(page).first().textContent()).toContain('The first half')
    for (const gone of ['and the second.', 'About navy.']) expect(await shown(page, gone).count()).toBe(0)
    await expect.poll(() => messageField(page).inputValue(), patient).toBe('A second thought')
    await page.getByRole('button', { name: 'Next version' }).click()
    await shown(page, 'About navy.').waitFor()
    expect(await shown(page, 'About blue.').count()).toBe(0)
    await page.getByRole('link', { name: 'New chat' }).first().click()
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    expect(await messageField(page).inputValue()).toBe('')
    await page.goBack()
    await expect.poll(() => messageField(page).inputValue(), patient).toBe('A second thought')

    // A message is deleted, and the rest of the conversation stays.
    await shown(page, 'Blue').hover()
    await page.getByRole('button', { name: 'Delete message' }).last().click()
    await page.getByRole('alertdialog', { name: 'Delete this message?' }).waitFor()
    await inspect('chat-delete-message')
    await page.getByRole('button', { name: 'Delete message', exact: true }).last().click()
    await shown(page, 'Blue').waitFor({ state: 'detached' })
    await shown(page, 'About navy.').waitFor()
    expect(missing).toEqual([])
    expect(problems).toEqual([])
  })

  it('asks for another reply beside the first, and offers a retry where one failed', async () => {
    const { page, inspect } = await sitDown()
    const missing = missingIn(page)
    provider.script({ fail: { status: 500, body: { error: { message: 'The model broke down' } } } })
    await say(page, 'Once')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await inspect('chat-failed')
    provider.script({ text: 'The second try.' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await shown(page, 'The second try.').waitFor()
    await replied(page)
    provider.script({ text: 'The third try.' })
    await page.getByRole('button', { name: 'Regenerate', exact: true }).click()
    await shown(page, 'The third try.').waitFor()
    await shown(page, '3/3').waitFor()
    await page.getByRole('button', { name: 'Previous version' }).click()
    await shown(page, 'The second try.').waitFor()
    await page.getByRole('button', { name: 'Regenerate with another model' }).click()
    provider.script({ text: 'By the other one.' })
    await page.getByRole('menuitem', { name: 'wise' }).click()
    await shown(page, 'By the other one.').waitFor()
    expect(missing).toEqual([])
  })

  it('tells the model what the chat’s settings say, and asks before they are discarded', async () => {
    const { page, person, inspect } = await sitDown()
    await person.post('/api/v1/prompts', { command: 'sizes', content: 'How large is {{size}}?' })
    await page.getByRole('button', { name: 'Chat settings' }).click()
    await page.getByLabel('System prompt').fill('Answer in one word of {{USER_LANGUAGE}}.')
    await page.getByLabel('Temperature').fill('0.2')
    await inspect('chat-settings')
    await page.keyboard.press('Escape')
    const asked = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await messageField(page).fill('/si')
    await page.getByRole('option', { name: /sizes/ }).waitFor()
    await inspect('chat-prompts')
    await messageField(page).press('Enter')
    await page.keyboard.type('A4')
    provider.script({ text: 'Large.' })
    await sendMessage(page)
    await replied(page)
    expect(provider.calls().find(({ body }) => body.stream === true && body.temperature === 0.2)?.body).toMatchObject({
      messages: [
        // Of the browser: the server itself would say en.
        { role: 'system', content: `Answer in one word of ${await page.evaluate('navigator.language')}.` },
        { role: 'user', content: 'How large is A4?' },
      ],
    })
  })

  it('thinks where nobody has to look, and shows it to who does', async () => {
    const { page } = await sitDown()
    provider.script({ reasoning: ['First this, ', 'then that.'], text: 'Therefore.' })
    await say(page, 'Why?')
    await shown(page, 'Therefore.').waitFor()
    expect(await shown(page, 'First this, then that.').isVisible()).toBe(false)
    await shown(page, 'Reasoning').click()
    await shown(page, 'First this, then that.').waitFor()
  })

  it('keeps nothing of a temporary chat, and asks before it is lost', async () => {
    const { page, person, inspect, problems } = await sitDown()
    const chats = async () => (await person.get('/api/v1/chats/')).body.total
    const before = await chats()
    await page.getByRole('link', { name: 'Temporary chat' }).click()
    await page.getByRole('heading', { name: 'Temporary chat' }).waitFor()
    await page.goBack()
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    await goTo(page, '/chat/temporary?models=swift')
    await page.getByRole('heading', { name: 'Temporary chat' }).waitFor()
    provider.script({ text: 'Nobody will know.' })
    await say(page, 'A secret')
    await shown(page, 'Nobody will know.').waitFor()
    await replied(page)
    provider.script({ text: 'You said: a secret.' })
    await say(page, 'What did I say?')
    await shown(page, 'You said: a secret.').waitFor()
    await inspect('chat-temporary')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Home' }).first().click()
    const question = page.getByRole('alertdialog', { name: 'Leave this temporary chat?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await shown(page, 'You said: a secret.').waitFor()
    expect(await chats()).toBe(before)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('secret')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('heading', { name: 'Temporary chat' }).waitFor()
    expect(await replies(page).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('takes a rating with its reason, and shows the chat as a page to print', async () => {
    const { page, person, inspect } = await sitDown()
    provider.script({ text: 'It is **42**.' })
    await say(page, 'How many?')
    await replied(page)
    await page.getByRole('button', { name: 'Bad reply' }).click()
    await page.getByRole('textbox', { name: /^What was wrong/ }).fill('It should be 43.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/)
    const chatId = page.url().slice(-36)
    const annotation = async () => {
      const { history } = (await person.get(`/api/v1/chats/${chatId}`)).body.chat
      return history.messages[history.currentId].annotation
    }
    await expect.poll(annotation, patient).toEqual({ rating: -1, reason: 'It should be 43.' })
    await goTo(page, `/chat/${chatId}/print`)
    await page.getByRole('button', { name: 'Print' }).waitFor()
    await page.getByText('How many?', { exact: true }).last().waitFor()
    expect(await page.locator('main strong').textContent()).toBe('42')
    await inspect('chat-print')
  })

  it('starts new chats with the model that the person chose for that, and lists pinned ones first', async () => {
    const { page, person, inspect } = await sitDown('/chat?models=wise')
    await page.getByRole('button', { name: 'Model: wise' }).click()
    await page.getByRole('button', { name: 'Pin model' }).click()
    await page.getByRole('button', { name: 'Unpin model' }).waitFor()
    await page.getByRole('button', { name: 'Start new chats with it' }).click()
    await page.getByRole('button', { name: 'Don’t start chats with it' }).waitFor()
    expect(await page.getByRole('option').first().textContent()).toContain('wise')
    await inspect('chat-models')
    const own = { base_model_id: 'swift', access_grants: [] }
    let made = 0
    const make = async () => {
      made += 1
      await person.post('/api/v1/models/create', { ...own, id: `carved-${made}`, name: `Carved ${made}` })
      return page.getByRole('option', { name: /Carved/ }).count()
    }
    // Again and again, since the page's socket may not be open yet.
    await expect.poll(make, { ...patient, interval: 400 }).toBeGreaterThan(0)
    for (let one = 1; one <= made; one += 1) await person.delete(`/api/v1/models/model/delete?id=carved-${one}`)
    await page.keyboard.press('Escape')
    await expect
      .poll(() => messageField(page).evaluate((field) => field === document.activeElement), patient)
      .toBe(true)
    expect((await person.get('/api/v1/models/defaults')).body.user).toEqual({ default_model: 'wise', pinned: ['wise'] })
    await goTo(page, '/chat')
    await page.waitForURL(/\/chat$/)
    await page.getByRole('button', { name: 'Model: wise' }).waitFor()
  })
})
