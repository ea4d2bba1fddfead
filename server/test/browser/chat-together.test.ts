import type { WebSocketRoute } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { gate } from '../peers/model-provider.ts'
import { goTo, hasBrowser } from './browser.ts'
import { chatDesk, messageField, patient, replied, replies, say, shown, storing } from './chat-desk.ts'

const { provider, sitDown } = await chatDesk()

const count = (text: string, part: string) => text.split(part).length - 1

describe.runIf(hasBrowser)('a chat open in several tabs', () => {
  it('shows in a second tab what the first one writes, while it is written', async () => {
    const { page, context } = await sitDown()
    provider.script({ text: 'Hello to both.' })
    await say(page, 'First')
    await replied(page)
    const second = await context.newPage()
    await second.goto(page.url())
    await shown(second, 'Hello to both.').waitFor()
    const hold = gate()
    provider.script({ chunks: ['One, ', 'two, ', 'three.'], gate: hold })
    await say(page, 'Count')
    await second.getByRole('article', { name: 'You' }).getByText('Count').waitFor()
    hold.open(2)
    await shown(second, 'One, two,').waitFor()
    hold.openForGood()
    await shown(second, 'One, two, three.').waitFor()
    await replied(second)
    await shown(page, 'One, two, three.').waitFor()
  })

  it('takes a reply up again after a reload, with nothing lost and nothing twice', async () => {
    const { page } = await sitDown()
    const hold = gate()
    const words = Array.from({ length: 12 }, (_, index) => `word${index} `)
    provider.script({ chunks: words, gate: hold })
    await say(page, 'Speak')
    hold.open(4)
    await shown(page, 'word3').waitFor()
    await page.reload()
    await shown(page, 'word3').waitFor()
    hold.open(4)
    await shown(page, 'word7').waitFor()
    hold.openForGood()
    await shown(page, 'word11').waitFor()
    await replied(page)
    const text = String(await replies(page).textContent())
    for (const word of words) expect(count(text, word.trim() === 'word1' ? 'word1 ' : word.trim()), word).toBe(1)
  })

  it('puts two models side by side and goes on with the one that is chosen', async () => {
    const { page, inspect } = await sitDown()
    await page.getByRole('button', { name: /^Model:/ }).click()
    await page.getByRole('checkbox', { name: /Compare side by side/ }).check()
    await page.getByRole('combobox', { name: 'Search models' }).fill('wise')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.waitForURL(/models=swift/)
    provider.script(
      { text: 'I am **quick**: an answer before you have finished reading the question.' },
      {
        text: 'I take my time. A good answer has three parts:\n\n1. what is known,\n2. what is not,\n3. what follows.',
      },
    )
    await say(page, 'Which of you is better?')
    await expect.poll(() => replies(page).count(), patient).toBe(2)
    await expect.poll(() => page.getByRole('button', { name: 'Copy reply' }).count(), patient).toBe(2)
    await inspect('chat-compare')
    const second = replies(page).nth(1).getByRole('button', { name: 'Continue with this reply' })
    await storing(page, () => second.click())
    await replies(page).nth(1).getByText('Selected').waitFor()
    await page.reload()
    await replies(page).nth(1).getByText('Selected').waitFor()
    expect(await replies(page).nth(1).getAttribute('aria-label')).toBe('Reply by wise')

    // One of them fails: the other one gives the chat its title, and the conversation continues from it.
    await goTo(page, '/chat?models=swift,wise')
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    provider.script({ fail: { status: 400 } }, { text: 'I can answer that.' })
    await say(page, 'Is either of you there?')
    await shown(page, 'I can answer that.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Sizes of paper' }).waitFor()
    provider.script({ text: 'Gladly.' }, { text: 'Gladly.' })
    await say(page, 'Then continue.')
    await expect.poll(() => shown(page, 'Gladly.').count(), patient).toBe(2)
    const asked = provider.calls().filter(({ body }) => JSON.stringify(body.messages).includes('Then continue.'))
    expect(JSON.stringify(asked[0]?.body)).toContain('I can answer that.')
  })

  it('finds its way by keyboard, and lists the keys', async () => {
    const { page } = await sitDown()
    provider.script({ text: 'Yes.' })
    await say(page, 'Hello')
    await replied(page)
    await page.getByRole('region', { name: 'Conversation' }).focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Edit your last message').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    // As a screen reader has it: the title, the conversation with its two speakers, and where to write.
    const tree = await page.getByRole('main').ariaSnapshot()
    for (const part of [
      /- heading ".+" \[level=1\]/,
      /- button "Chat actions"/,
      /- region "Conversation"/,
      /- article "Reply by .+"/,
      /- textbox "Message"/,
    ])
      expect(tree).toMatch(part)
    await page.getByRole('button', { name: 'Chat actions' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
    await page.getByRole('textbox', { name: 'Chat title' }).fill('Named by hand')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Named by hand', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Conversation' }).focus()
    await page.keyboard.press('n')
    await page.getByRole('list', { name: 'Suggestions' }).waitFor()
    await expect
      .poll(() => messageField(page).evaluate((field) => field === document.activeElement), patient)
      .toBe(true)
  })

  it('follows by the stream alone where no socket can be had, and loses no word when the line breaks', async () => {
    const { page } = await sitDown()
    let canConnect = false
    const lines: WebSocketRoute[] = []
    await page.routeWebSocket(/\/ws\//, (socket) => {
      if (!canConnect) return void socket.close()
      socket.connectToServer()
      lines.push(socket)
    })
    await page.reload()
    const hold = gate()
    provider.script({ chunks: ['By ', 'another ', 'way.'], gate: hold })
    await say(page, 'Still there?')
    hold.open(2)
    await shown(page, 'By another').waitFor()
    hold.openForGood()
    await shown(page, 'By another way.').waitFor()
    await replied(page)

    canConnect = true
    await page.reload()
    await expect.poll(() => lines.length, patient).toBe(1)
    const spelling = gate()
    provider.script({ chunks: ['alpha ', 'beta ', 'gamma ', 'delta ', 'epsilon.'], gate: spelling })
    await say(page, 'Spell')
    spelling.open()
    await shown(page, 'alpha').waitFor()
    await lines[0]?.close({ code: 1001 })
    spelling.open(2)
    await shown(page, 'alpha beta gamma').waitFor()
    await expect.poll(() => lines.length, patient).toBeGreaterThan(1)
    spelling.openForGood()
    await shown(page, 'alpha beta gamma delta epsilon.').waitFor()
    await replied(page)
  })
})
