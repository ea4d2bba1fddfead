/** Knowledge in the browser: collections with files and folders, and what questions find in them. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { uploadBytes, uploadText } from '../harness/files.ts'
import { startEmbedder } from '../peers/embedder.ts'
import { gate, startModelProvider } from '../peers/model-provider.ts'
import { startSite } from '../peers/site.ts'
import { goTo, hasBrowser } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { messageField, replied, say, sendMessage } from './chat-desk.ts'
import { sharedPage } from './shared-page.ts'

const embedder = await startEmbedder()
const provider = await startModelProvider({ models: ['swift'] })
provider.usually({ text: '{}' })
const site = await startSite(({ path }, response) => {
  if (path === '/robots.txt') return void response.writeHead(404).end()
  const title = path === '/' ? 'Harbour guide' : 'Berths'
  const text = `<p>${`${title}: boats, ropes, tides, and everything else about them. `.repeat(6)}</p>`
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(
    `<!doctype html><title>${title}</title><article><h1>${title}</h1>${text}</article><a href="/berths">x</a>`,
  )
})
const env = { COMPAT_API_BASE_URL: provider.url, OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${site.port}` }
const app = await browserApp({ env: { ...embedder.env, ...env } })
afterAll(() => site.close())
const ana = await app.user({ name: 'Ana Ruiz', org: 'Ruiz Estates' })
const ben = await app.user({ name: 'Ben Okafor', org: 'Ruiz Estates' })
const asAna = sharedPage(app.url, ana)

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
/** The browser's speech, which a headless one lacks: it hears what the test says next and remembers what it says. */
const browserSpeech = `
  window.spoken = []
  window.SpeechRecognition = class {
    start() {
      this.timer = setInterval(() => {
        if (window.nextSaid === undefined) return
        const transcript = window.nextSaid
        window.nextSaid = undefined
        this.onresult({ results: [[{ transcript }]] })
        this.stop()
      }, 20)
    }
    stop() { clearInterval(this.timer); this.onend() }
    abort() { this.stop() }
  }
  Object.defineProperty(window, 'speechSynthesis', { value: {
    cancel() {},
    speak(utterance) {
      window.spoken.push(utterance.text + ' at ' + utterance.rate)
      setTimeout(() => utterance.onend(), 20)
    },
  } })
`
const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

/** The dropped or pasted data: an expression, since it runs in the page. */
const transferOf = (name: string, type: string, content: string | Buffer): string => `(() => {
  const bytes = Uint8Array.from(atob('${Buffer.from(content).toString('base64')}'), (letter) => letter.charCodeAt(0))
  const transfer = new DataTransfer()
  transfer.items.add(new File([bytes], '${name}', { type: '${type}' }))
  return transfer
})()`

/** A30: in previews, passages, citations and replies these are text. */
const script = '<img src="x" onerror="window.xss = 1"><script>window.xss = 1</script>'
const expectNoScript = async (page: Page) => {
  expect(await page.evaluate('window.xss')).toBeUndefined()
  expect(await page.locator('a[href^="javascript:"]').count()).toBe(0)
}

describe.runIf(hasBrowser)('knowledge in the browser', () => {
  it('takes a person from the first collection over files, a failure and a question to sharing it', async () => {
    const { page, problems, inspect } = await asAna('/knowledge')
    await page.getByText('No collections yet').waitFor()
    await inspect('knowledge-empty')
    await page.getByRole('button', { name: 'New collection' }).first().click()
    await page.getByLabel('Name').fill('House rules')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await page.getByText('No files yet').waitFor()

    await page
      .getByLabel('Files', { exact: true })
      .first()
      .setInputFiles([
        text('rules.md', `# Quiet hours\n\nNo music after ten in the evening. ${script}`),
        { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 nothing else') },
      ])
    const dropped = await page.evaluateHandle(
      transferOf('boats.txt', 'text/plain', 'A vessel may moor at the pier for one night.'),
    )
    const target = page.getByRole('region', { name: 'Files of the collection' })
    await target.dispatchEvent('drop', { dataTransfer: dropped })
    const files = page.getByRole('table', { name: 'Files' })
    const row = (name: string) => files.getByRole('row').filter({ hasText: name })
    await row('rules.md').getByText('Ready').waitFor()
    await row('boats.txt').getByText('Ready').waitFor()
    await row('broken.pdf').getByText('Failed').waitFor()
    await row('broken.pdf').getByRole('button', { name: 'Process broken.pdf again' }).click()
    await row('broken.pdf').getByText('Failed').waitFor()
    await row('broken.pdf').getByRole('button', { name: 'Remove broken.pdf' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => row('broken.pdf').count()).toBe(0)

    await page.getByLabel('Question', { exact: true }).fill('ferry')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const first = page.getByRole('list', { name: 'Passages' }).getByRole('listitem').first()
    await first.getByText('A vessel may moor').waitFor()
    await first.getByText(/Found by meaning: no\. 1/).waitFor()
    // Of a long passage what is shown begins shortly before the words that matched.
    await page.getByLabel('Question', { exact: true }).fill('mooring at night')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await first.locator('mark', { hasText: 'night' }).waitFor()
    await page.getByLabel('Question', { exact: true }).fill('ferry')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('File name contains').fill('RULES')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await first.getByText('No music after ten').waitFor()
    await page.getByText('Filter (on)').waitFor()
    await inspect('knowledge-collection')

    await page.getByRole('button', { name: 'Add files' }).first().click()
    await page.getByRole('menuitem', { name: 'Add web pages' }).click()
    await page.getByLabel('Address').fill(site.origin)
    await page.getByLabel('Pages', { exact: true }).selectOption('1')
    await page.getByRole('button', { name: 'Add pages' }).click()
    await page.getByRole('region', { name: 'Web pages' }).getByText('2 pages added').waitFor()
    await row('Berths').getByText('Ready').waitFor()

    await page.getByRole('button', { name: 'rules.md' }).first().click()
    const preview = page.getByRole('dialog', { name: 'rules.md' })
    await preview.getByText('No music after ten').waitFor()
    await preview.getByText('Chunks', { exact: true }).click()
    await preview.getByText('1 chunk, 1 of 1 searchable by meaning').waitFor()
    await inspect('knowledge-preview')
    await expectNoScript(page)
    await preview.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Actions for House rules' }).click()
    await page.getByRole('menuitem', { name: 'Edit and share' }).click()
    await page.getByRole('combobox', { name: 'Add a person, group or organization' }).fill('Okafor')
    await page.getByRole('option', { name: /Ben Okafor/ }).click()
    await page.getByLabel('Permission of Ben Okafor').selectOption('write')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Shared', { exact: true }).waitFor()
    const { items } = (await ben.get('/api/v1/knowledge/')).body
    expect(items).toMatchObject([{ name: 'House rules', write_access: true, file_count: 4 }])
    expect(problems).toEqual([])
  })

  it('makes a collection equal to a folder after showing what changes, also while the person is on another page', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'chancery-')), 'Handbook')
    onTestFinished(() => rm(join(folder, '..'), { recursive: true }))
    await mkdir(join(folder, '.git'), { recursive: true })
    await mkdir(join(folder, 'deep'))
    const write = (name: string, content: string) => writeFile(join(folder, name), content)
    await write('.git/config', 'hidden')
    await write('tides.md', 'The tide turns at six.')
    await write('deep/berths.md', 'Berth nine is free.')
    await write('broken.pdf', '%PDF-1.7 nothing in it')
    const { id } = (await ana.post('/api/v1/knowledge/create', { name: 'Harbour', description: '' })).body
    const { page, problems, inspect } = await asAna(`/knowledge/${id}`)
    const dialog = page.getByRole('dialog', { name: 'Sync “Handbook”' })
    const pick = () => page.getByLabel('Folder to sync').first().setInputFiles(folder)
    await pick()
    await dialog.getByText('Add 3 files').click()
    await dialog.getByText('deep/berths.md').waitFor()
    await inspect('knowledge-sync')
    await dialog.getByRole('button', { name: 'Sync folder' }).click()
    await page.getByRole('link', { name: 'Knowledge' }).first().click()
    await page.getByRole('button', { name: /^Activity: / }).click()
    const tray = page.getByRole('list', { name: 'In progress' })
    await tray.getByText('2 files added, 0 changed, 0 removed', { exact: true }).waitFor()
    await tray.getByText('1 problem').click()
    await tray.getByText(/^broken.pdf: /).waitFor()
    await page.getByRole('button', { name: 'Dismiss Sync of “Handbook”' }).click()
    await page.getByText('All done.').waitFor()
    await page.keyboard.press('Escape')

    await write('tides.md', 'The tide turns at seven.')
    await rm(join(folder, 'broken.pdf'))
    await rm(join(folder, 'deep/berths.md'))
    await page.getByRole('link', { name: 'Harbour' }).click()
    await page.getByRole('button', { name: 'deep/berths.md', exact: true }).waitFor()
    await pick()
    await dialog.getByText('Replace 1 changed file').waitFor()
    await dialog.getByText('Remove 1 file').waitFor()
    await dialog.getByText('2 of these files are also deleted from your files').waitFor()
    await dialog.getByRole('button', { name: 'Sync folder' }).click()
    interface HeldFile {
      filename: string
      meta: { size: number }
    }
    const held = async () =>
      (await ana.get(`/api/v1/knowledge/${id}`)).body.files.map((file: HeldFile) => [file.filename, file.meta.size])
    await expect.poll(held).toEqual([['tides.md', 24]])
    const own = (await ana.get('/api/v1/files/')).body.items.map(({ filename }: HeldFile) => filename)
    expect(own).toContain('tides.md')
    expect(own).not.toContain('deep/berths.md')
    await pick()
    await dialog.getByText('Nothing to do').waitFor()
    expect(problems).toEqual([])
  })

  it('lists a person’s own files with their state, and deletes one everywhere', async () => {
    const now = { query: 'process_in_background=false' }
    const { id } = (await ana.post('/api/v1/knowledge/create', { name: 'Boats' })).body
    const { body: kept } = await uploadText(ana, 'A vessel may moor here.', { name: 'moorings.txt', ...now })
    await ana.post(`/api/v1/knowledge/${id}/file/add`, { file_id: kept.id })
    await uploadBytes(ana, '%PDF-1.7 nothing at all', { name: 'torn.pdf', type: 'application/pdf', ...now })
    const { page, problems, inspect } = await asAna('/knowledge/files')
    await page.getByRole('meter', { name: 'Storage of your organization' }).waitFor()
    const files = page.getByRole('table', { name: 'Files' })
    await files.getByText('moorings.txt').waitFor()
    await inspect('knowledge-files')
    await page.getByLabel('Status').selectOption('failed')
    await expect.poll(() => files.getByText('moorings.txt').count()).toBe(0)
    await files.getByText('torn.pdf').waitFor()
    await page.getByLabel('Status').selectOption('')
    await files.getByText('moorings.txt').waitFor()
    await page.getByRole('button', { name: 'Actions for moorings.txt' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete file' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => files.getByText('moorings.txt').count()).toBe(0)
    expect((await ana.get(`/api/v1/knowledge/${id}`)).body.files).toEqual([])

    // Claimed by a worker that never ends, so that the tray has something to show for as long as the test needs.
    const { body: slow } = await uploadText(ana, 'Slow.', { name: 'slow.txt', query: 'process=false' })
    const claim = { state: 'pending' as const, isClaimed: true, leaseUntil: new Date(Date.now() + 3_600_000) }
    await app.db.updateTable('files').set(claim).where('id', '=', slow.id).execute()
    await page.reload()
    await page.getByRole('button', { name: 'Activity: 1 in progress' }).click()
    const tray = page.getByRole('dialog', { name: 'Activity' })
    await tray.getByText('slow.txt').waitFor()
    await inspect('activity-tray', { isLive: true })
    await ana.post(`/api/v1/files/${slow.id}/process/cancel`)
    await tray.getByText('All done.').waitFor()
    expect(problems).toEqual([])
  })

  it('attaches a collection, a file and an image to a message, and opens the passage that a reply cites', async () => {
    const { id } = (await ana.post('/api/v1/knowledge/create', { name: 'Pier rules' })).body
    const named = { name: 'rules.md', query: 'process_in_background=false' }
    const { body: rules } = await uploadText(ana, `# Mooring\n\nA vessel may moor for one night. ${script}`, named)
    await ana.post(`/api/v1/knowledge/${id}/file/add`, { file_id: rules.id })
    const { page, problems, inspect } = await asAna('/chat?models=swift')
    await messageField(page).fill('How long may #pier')
    await page.getByRole('option', { name: /Pier rules/ }).waitFor()
    await messageField(page).press('Enter')
    await page.getByLabel('Attached files').setInputFiles([text('guests.txt', 'Guests stay for a week.')])
    await messageField(page).focus()
    await page.evaluate(`document.activeElement.dispatchEvent(new ClipboardEvent('paste', {
      clipboardData: ${transferOf('dot.png', 'image/png', dot)}, bubbles: true, cancelable: true,
    }))`)
    const chips = page.getByRole('list', { name: 'Attachments' })
    await expect.poll(() => chips.locator('li[aria-busy=false]').count()).toBe(3)
    await inspect('chat-attachments')
    await chips.getByRole('button', { name: 'Remove guests.txt' }).click()
    provider.script({ text: `One night [1]. [More](javascript:window.xss=1) ${script}` })
    await say(page, 'How long may a ferry moor?')
    await replied(page)
    const sent = provider.calls().find(({ body }) => JSON.stringify(body).includes('a ferry moor?'))?.body
    const content = JSON.stringify(sent?.messages.at(-1).content)
    expect(content).toContain('A vessel may moor for one night.')
    expect(content).toContain(`data:image/png;base64,${dot.toString('base64')}`)
    expect(content).not.toContain('Guests stay')
    await page.getByRole('button', { name: 'Source 1: rules.md' }).click()
    const passage = page.getByRole('dialog', { name: 'rules.md' })
    await passage
      .getByRole('paragraph')
      .filter({ hasText: /^Mooring$/ })
      .waitFor()
    await passage
      .locator('mark', { hasText: /^moor$/ })
      .first()
      .waitFor()
    await passage.getByText('A vessel may moor for one night.').waitFor()
    await page.getByRole('img', { name: 'dot.png' }).waitFor()
    await expectNoScript(page)
    const stored = await ana.get(`/api/v1/chats/${page.url().split('/').at(-1)}`)
    expect(stored.text).toContain('dot.png')
    expect(stored.text).not.toContain('base64')

    // Deleting the picture leaves the conversation, which goes on without it.
    const { items } = (await ana.get('/api/v1/files/?search=dot.png')).body
    await ana.delete(`/api/v1/files/${items[0].id}`)
    await page.reload()
    await page.getByText('No longer available').waitFor()
    provider.script({ text: 'Two nights too.' })
    await say(page, 'And two nights?')
    await page.getByText('Two nights too.', { exact: true }).waitFor()
    const second = provider.calls().find(({ body }) => JSON.stringify(body).includes('And two nights?'))?.body
    expect(JSON.stringify(second)).toContain('An image that isn’t available')
    expect(problems).toEqual([])
  })

  it('shows, adds, changes and deletes what models remember, and switches it off', async () => {
    const { page, problems, inspect } = await asAna('/account/memory')
    await page.getByText('No memories yet').waitFor()
    await page.getByRole('button', { name: 'New memory' }).click()
    await page.getByLabel('Memory', { exact: true }).fill('Prefers metric units.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit “Prefers metric units.”' }).click()
    await page.getByLabel('Memory', { exact: true }).fill('Prefers imperial units.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Prefers imperial units.', exact: true }).waitFor()
    await inspect('account-memory')
    await page.getByRole('switch').click()
    await expect.poll(async () => (await ana.get('/api/v1/memories')).body.enabled).toBe(false)
    await page.getByRole('button', { name: 'Delete “Prefers imperial units.”' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No memories yet').waitFor()
    expect(problems).toEqual([])
  })

  it('dictates, reads aloud and talks hands-free with the speech of the browser', async () => {
    const { page, problems, inspect } = await asAna('/account/speech')
    await page.getByText('recognized by your browser and spoken by your browser').waitFor()
    await page.getByLabel('Speed').selectOption('1.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await inspect('account-speech')
    await page.evaluate(browserSpeech)
    await goTo(page, '/chat?models=swift')
    const hears = (said: string) => page.evaluate((text) => Reflect.set(window, 'nextSaid', text), said)
    const spoken = () => page.evaluate(() => Reflect.get(window, 'spoken') as string[])

    await messageField(page).fill('How')
    await hears('high is the pier?')
    await page.getByRole('button', { name: 'Dictate' }).click()
    await expect.poll(() => messageField(page).inputValue()).toBe('How high is the pier?')
    provider.script({ text: '**Ten** metres.' })
    await sendMessage(page)
    await replied(page)
    await page.getByRole('button', { name: 'Read aloud' }).click()
    await expect.poll(spoken).toEqual(['Ten metres. at 1.5'])

    const hold = gate()
    provider.script({ chunks: ['Two boats. ', 'No more.'], gate: hold })
    await hears('How many boats fit?')
    await page.getByRole('button', { name: 'Voice mode' }).click()
    const dialog = page.getByRole('dialog', { name: 'Voice mode' })
    hold.open()
    await expect.poll(spoken).toEqual(['Ten metres. at 1.5', 'Two boats. at 1.5'])
    await dialog.getByText('Speaking…').waitFor()
    hold.openForGood()
    await expect.poll(spoken).toEqual(['Ten metres. at 1.5', 'Two boats. at 1.5', 'No more. at 1.5'])
    await dialog.getByText('Listening…').waitFor()
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('Paused').waitFor()

    // The first message of a chat can be spoken, too.
    await goTo(page, '/chat?models=swift')
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    provider.script({ text: 'At nine.' })
    await hears('When does the ferry leave?')
    await page.getByRole('button', { name: 'Voice mode' }).click()
    await expect.poll(async () => (await spoken()).slice(3)).toEqual(['At nine. at 1.5'])
    await dialog.getByText('Listening…').waitFor()
    expect(page.url()).toMatch(/\/chat\/[0-9a-f-]{36}/)
    expect(problems).toEqual([])
  })
})
