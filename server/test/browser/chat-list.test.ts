import { randomUUID } from 'node:crypto'
import { buffer as bytesOf } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Person } from '../harness/people.ts'
import { goTo, hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { sharedPage } from './shared-page.ts'

const app = await browserApp()

/** For what a page does in its own time. */
const patient = { timeout: 30_000 }
const daySec = 86_400
const now = Math.floor(Date.now() / 1000)

/** A chat of two messages as an export has it. */
const record = (title: string, { daysAgo = 0, said = 'Good morning.', ...more }: Partial<ChatOptions> = {}) => {
  const [question, answer] = [randomUUID(), randomUUID()]
  const at = now - daysAgo * daySec
  const messages = {
    [question]: { id: question, parentId: null, childrenIds: [answer], role: 'user', content: said, timestamp: at },
    [answer]: {
      id: answer,
      parentId: question,
      childrenIds: [],
      role: 'assistant',
      content: 'Noted.',
      done: true,
      timestamp: at,
    },
  }
  return {
    title,
    chat: { title, models: ['guide'], history: { currentId: answer, messages } },
    created_at: at,
    updated_at: at,
    ...more,
  }
}

interface ChatOptions {
  daysAgo: number
  said: string
  pinned: boolean
  archived: boolean
  meta: { tags: string[] }
}

const withChats = async (person: Person, ...chats: ReturnType<typeof record>[]): Promise<string[]> => {
  const { status, body, text } = await person.post('/api/v1/chats/import', { chats })
  if (status !== 200) throw new Error(`importing failed: ${text}`)
  return body.ids
}

const ana = await app.user({ name: 'Ana Pereira', org: 'Aldgate Paper' })
const asAna = sharedPage(app.url, ana)

const listOf = (page: Page) => page.getByRole('complementary', { name: 'Chats' })

/** Opens the menu of a row. A toast that leaves takes the focus with it, and an open menu then closes: so once more. */
const openMenu = async (page: Page, title: string): Promise<void> => {
  const button = listOf(page).getByRole('button', { name: `Actions for ${title}` })
  for (let attempt = 1; ; attempt += 1) {
    await button.click()
    const menu = page.getByRole('menu').getByRole('menuitem').first()
    const isOpen = await menu.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
    if (isOpen) return
    if (attempt === 3) throw new Error(`the menu of ${title} does not open`)
  }
}

const act = async (page: Page, title: string, ...actions: string[]) => {
  await openMenu(page, title)
  for (const action of actions) await page.getByRole('menuitem', { name: action, exact: true }).click()
}

describe.runIf(hasBrowser)('the list of chats', () => {
  it('is a sheet on a phone, and says so when there is nothing', async () => {
    const { page, inspect } = await asAna('/chat')
    await listOf(page).getByText('Your chats will appear here.').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Chats', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Chats' })
    await sheet.getByText('Your chats will appear here.').waitFor()
    await inspect('chat-list-sheet')
    await sheet.getByRole('link', { name: 'New chat' }).click()
    await sheet.waitFor({ state: 'detached' })
  })

  it('shows chats by day, pins, renames and moves them, and finds them by what was said', async () => {
    await withChats(
      ana,
      record('Supplier contract, second reading', { pinned: true, daysAgo: 12 }),
      record('Minutes of the board'),
      record('Price list for spring', { meta: { tags: ['sales'] } }),
      record('Letter to the harbour office', { daysAgo: 1, said: 'Where does the vellum come from?' }),
      record('Notes on watermarks', { daysAgo: 4, meta: { tags: ['paper'] } }),
      record('A very long title that cannot possibly fit into the width of the column', { daysAgo: 20 }),
      record('Ledger of last year', { daysAgo: 420 }),
    )
    const { page, inspect, problems } = await asAna('/chat')
    const list = listOf(page)
    await list.getByRole('link', { name: 'Minutes of the board' }).waitFor()
    for (const heading of ['Pinned', 'Today', 'Yesterday', 'Previous 7 days', 'Previous 30 days'])
      await list.getByRole('heading', { name: heading }).waitFor()

    await list.getByRole('button', { name: 'New folder' }).click()
    await list.getByLabel('Folder name').fill('Contracts')
    await list.getByLabel('Folder name').press('Enter')
    await act(page, 'Minutes of the board', 'Move to folder', 'Contracts')
    await list.getByRole('button', { name: /^Contracts/ }).click()
    await list.getByRole('list', { name: 'Contracts' }).getByRole('link', { name: 'Minutes of the board' }).waitFor()
    await list
      .getByRole('link', { name: 'Price list for spring' })
      .dragTo(list.getByRole('button', { name: /^Contracts/ }))
    await list.getByRole('list', { name: 'Contracts' }).getByRole('link', { name: 'Price list for spring' }).waitFor()
    await act(page, 'Notes on watermarks', 'Pin')
    await list.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Notes on watermarks' }).waitFor()
    await act(page, 'Notes on watermarks', 'Rename')
    await list.getByLabel('Chat title').fill('On watermarks')
    await list.getByLabel('Chat title').press('Enter')
    await list.getByRole('link', { name: 'On watermarks' }).waitFor()
    await inspect('chat-list')

    await list.getByRole('combobox', { name: 'Search chats' }).fill('vellum')
    await list.getByRole('option', { name: /Letter to the harbour office/ }).waitFor()
    expect(await list.locator('mark').first().textContent()).toBe('vellum')
    await inspect('chat-list-search')
    await list.getByRole('combobox', { name: 'Search chats' }).press('Enter')
    await page.waitForURL('**/chat/*-*')
    const { body } = await ana.get('/api/v1/chats?pinned=true')
    expect(body.items.map(({ title }: { title: string }) => title)).toContain('On watermarks')
    expect(problems).toEqual([])
  })

  it('keeps a row where it was put though an older answer comes in between', async () => {
    const [other = ''] = await withChats(ana, record('Another chat'), record('The chat in question'))
    const { page } = await asAna('/chat')
    const list = listOf(page)
    await list.getByRole('link', { name: 'The chat in question' }).waitFor()
    const release = Promise.withResolvers<void>()
    let held = 0
    await page.route(/\/api\/v1\/chats\/\?/, async (route) => {
      const answer = await route.fetch()
      held += 1
      await release.promise
      await route.fulfill({ response: answer }).catch(() => undefined)
    })
    // Again and again, since the page's socket may not be open yet.
    const change = async () => {
      await ana.post(`/api/v1/chats/${other}`, { chat: { title: `Another chat, ${randomUUID()}` } })
      return held
    }
    await expect.poll(change, { ...patient, interval: 400 }).toBeGreaterThan(0)
    const row = list.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'The chat in question' })
    await act(page, 'The chat in question', 'Pin')
    await row.waitFor()
    release.resolve()
    for (let look = 0; look < 40; look += 1) expect(await row.count()).toBe(1)
    await act(page, 'The chat in question', 'Rename')
    await list.getByLabel('Chat title').fill('Answered')
    await list.getByLabel('Chat title').press('Enter')
    await list.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Answered' }).waitFor()
  })

  it('deletes with a moment to think better of it, archives and brings back', async () => {
    const total = async () => (await ana.get('/api/v1/chats')).body.total
    const before = await total()
    await withChats(ana, record('Draft one'), record('Draft two'), record('Draft three'))
    const { page } = await asAna('/chat')
    const list = listOf(page)
    await act(page, 'Draft one', 'Delete')
    await list.getByRole('link', { name: 'Draft one' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await list.getByRole('link', { name: 'Draft one' }).waitFor()
    expect(await total()).toBe(before + 3)

    await act(page, 'Draft two', 'Delete')
    await list.getByRole('link', { name: 'Draft two' }).waitFor({ state: 'detached' })
    // Leaving the page makes the deletion final.
    await page.goto(`${app.url}/account`)
    await expect.poll(total, patient).toBe(before + 2)

    await goTo(page, '/chat')
    await act(page, 'Draft three', 'Archive')
    await list.getByRole('link', { name: 'Draft three' }).waitFor({ state: 'detached' })
    await list.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Archived chats' }).click()
    await list.getByRole('link', { name: 'Draft three' }).waitFor()
    await act(page, 'Draft three', 'Restore')
    await list.getByText('No archived chats.').waitFor()
    await list.getByRole('button', { name: 'Show all chats' }).click()
    await list.getByRole('link', { name: 'Draft three' }).waitFor()
  })

  it('tags chats and narrows the list to a tag', async () => {
    await withChats(ana, record('Roof repairs'), record('Lease', { meta: { tags: ['house'] } }))
    const { page, inspect } = await asAna('/chat')
    await act(page, 'Roof repairs', 'Tags')
    const dialog = page.getByRole('dialog', { name: 'Tags' })
    await dialog.getByRole('checkbox', { name: 'house' }).check()
    await dialog.getByLabel('New tag').fill('urgent')
    await inspect('chat-list-tags')
    await dialog.getByRole('button', { name: 'Save tags' }).click()
    await expect
      .poll(async () => (await ana.get('/api/v1/chats?tag=urgent')).body.items[0]?.tags.toSorted(), patient)
      .toEqual(['house', 'urgent'])
    await listOf(page).getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Filter by tag' }).click()
    await page.getByRole('menuitem', { name: /urgent/ }).click()
    await listOf(page).getByRole('link', { name: 'Roof repairs' }).waitFor()
    expect(await listOf(page).getByRole('link', { name: 'Lease' }).count()).toBe(0)
  })

  it('exports everything and takes it in again, and says what is wrong with another file', async () => {
    await withChats(ana, record('Kept'))
    const { page, inspect } = await asAna('/chat')
    await listOf(page).getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Import and export' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import and export' })
    const started = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Export all' }).click()
    const buffer = await bytesOf(await (await started).createReadStream())
    await dialog
      .getByLabel('Chats file')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('nothing') })
    await dialog.getByText(/not valid JSON|isn.t valid JSON/).waitFor()
    const broken = JSON.stringify([{ title: 'Not a chat' }])
    await dialog
      .getByLabel('Chats file')
      .setInputFiles({ name: 'y.json', mimeType: 'application/json', buffer: Buffer.from(broken) })
    await dialog
      .getByRole('list', { name: 'Skipped chats' })
      .getByText(/^Not a chat: /)
      .waitFor()
    await inspect('chat-list-transfer')
    await dialog.getByLabel('Chats file').setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer })
    const exported = JSON.parse(buffer.toString()).length
    await page.getByText(new RegExp(`^Imported ${exported} chats?$`)).waitFor()
    const { items } = (await ana.get('/api/v1/chats')).body
    expect(items.filter(({ title }: { title: string }) => title === 'Kept')).toHaveLength(2)
  })

  it('shares a snapshot that a colleague reads and continues as their own, until sharing stops', async () => {
    const hana = await app.user({ name: 'Hana Sato', org: 'Aldgate Paper' })
    await ana.patch('/api/org/settings', { publicChatLinks: true })
    const said = `How hot must it be?\n\n${'And for how long?\n\n'.repeat(60)}`
    await withChats(ana, record('Kiln temperatures', { said }))
    const { page, inspect } = await asAna('/chat')
    await act(page, 'Kiln temperatures', 'Share')
    const dialog = page.getByRole('dialog', { name: 'Share chat' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = new URL(await dialog.getByLabel('Link', { exact: true }).inputValue())

    const colleague = await visit(app.url + link.pathname, { as: hana })
    await colleague.page.getByRole('heading', { name: 'Kiln temperatures' }).waitFor()
    // It is read from its beginning.
    const conversation = colleague.page.getByRole('region', { name: 'Conversation' })
    await conversation.getByText('How hot must it be?').waitFor()
    const position = await conversation.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
      scrollTop,
      isLong: scrollHeight > clientHeight,
    }))
    expect(position).toEqual({ scrollTop: 0, isLong: true })
    await colleague.inspect('chat-shared')
    await colleague.page.getByRole('button', { name: 'Continue in my chats' }).click()
    await colleague.page.waitForURL('**/chat/*-*')
    expect((await hana.get('/api/v1/chats')).body.total).toBe(1)

    await dialog.getByRole('switch', { name: 'Public link' }).click()
    const open = new URL(await dialog.getByRole('textbox', { name: 'Public link' }).inputValue())
    await inspect('chat-share-public')
    const stranger = await visit(app.url + open.pathname)
    await stranger.page.getByRole('article', { name: 'Question' }).getByText('How hot must it be?').waitFor()
    const read = await stranger.page.getByRole('main').ariaSnapshot()
    for (const line of ['heading "Kiln temperatures" [level=1]', 'region "Conversation"', 'article "Question"'])
      expect(read).toContain(line)
    expect(read).not.toContain('Ana Pereira')
    await stranger.inspect('chat-public')
    await dialog.getByRole('switch', { name: 'Show my name' }).click()
    await expect
      .poll(async () => (await ana.get(`/api${open.pathname.replace('/public/', '/public/chats/')}`)).body.author)
      .toBe('Ana Pereira')

    await dialog.getByRole('button', { name: 'Stop sharing' }).click()
    await dialog.getByRole('button', { name: 'Create link' }).waitFor()
    await colleague.page.goto(link.href)
    await colleague.page.getByText('This link is invalid or has expired').waitFor()
    await stranger.page.reload()
    await stranger.page.getByText('This link is invalid or has expired').waitFor()
  })

  it('is also found from the command palette', async () => {
    await withChats(ana, record('Maps of the coast'))
    const { page } = await asAna('/account')
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search commands' }).fill('coast')
    await page.getByRole('option', { name: 'Maps of the coast' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/chat/*-*')
  })

  it('loads more as one scrolls, and hears of chats that begin elsewhere', async () => {
    const many = Array.from({ length: 130 }, (_, index) => record(`Chat number ${index}`, { daysAgo: index / 10 }))
    await withChats(ana, ...many)
    const { page } = await asAna('/chat')
    const list = listOf(page)
    await list.getByRole('link', { name: 'Chat number 0', exact: true }).waitFor()
    await list.getByRole('navigation', { name: 'Chats' }).hover()
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4000)
        return list.getByRole('link', { name: 'Chat number 129', exact: true }).count()
      }, patient)
      .toBe(1)
    await withChats(ana, record('From another window'))
    await list.getByRole('link', { name: 'From another window' }).waitFor()
  })

  it('hears of a chat that began after the list was loaded and before the line stood', async () => {
    await withChats(ana, record('There from the start'))
    const { page } = await asAna('/chat')
    const mayStand = Promise.withResolvers<void>()
    await page.routeWebSocket(/\/ws\//, async (socket) => {
      await mayStand.promise
      socket.connectToServer()
    })
    await page.reload()
    const list = listOf(page)
    await list.getByRole('link', { name: 'There from the start' }).waitFor()
    await withChats(ana, record('Begun in between'))
    mayStand.resolve()
    await list.getByRole('link', { name: 'Begun in between' }).waitFor()
  })
  it('says how far back it looked for a word that many messages hold', async () => {
    await sql`
      with made as (
        insert into chats (id, user_id, title, timestamp_ms, created_at, updated_at)
        select gen_random_uuid(), ${ana.id}, 'Day ' || n, 1, now(), '2024-05-01'::timestamptz - n * interval '1 minute'
        from generate_series(1, 2001) as n returning id, title)
      insert into chat_messages (chat_id, id, user_id, role, content, timestamp_sec)
      select made.id, gen_random_uuid(), ${ana.id}, 'user', 'It rained.', 1 from made, generate_series(1, 2001)
      where title = 'Day 2001'`.execute(app.db)
    const { page } = await asAna('/chat')
    await listOf(page).getByRole('combobox', { name: 'Search chats' }).fill('rained')
    await listOf(page).getByText('the search stopped at chats from').waitFor()
  })
})
