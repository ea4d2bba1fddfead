/** A person at the chat screen, with a provider whose words the test decides. */
import type { Page, Response } from 'playwright-core'
import { expect } from 'vitest'
import { atEnd } from '../harness/at-end.ts'
import { startModelProvider } from '../peers/model-provider.ts'
import { browserApp } from './browser-app.ts'
import { sharedPage } from './shared-page.ts'

/** The provider's answer to the questions behind the scenes: a title, tags, what to ask next. */
const backstage = JSON.stringify({
  title: 'Sizes of paper',
  tags: ['paper'],
  follow_ups: ['Which size is a business card?', 'Why does A4 look the way it does?'],
})

export const chatDesk = async () => {
  const provider = await startModelProvider({
    models: ['swift', 'wise'],
    key: 'sk-peer',
    // A question behind the scenes can come late, and must not take the words of the next reply.
    scriptsFor: ({ body }) => body?.stream === true,
  })
  provider.usually({ text: backstage })
  atEnd(() => provider.close())
  const app = await browserApp({ env: { COMPAT_API_BASE_URLS: provider.url, COMPAT_API_KEYS: 'sk-peer' } })
  const person = await app.user({ name: 'Ana Pereira' })
  const open = sharedPage(app.url, person)

  const sitDown = async (path = '/chat?models=swift') => {
    const visiting = await open(path)
    await messageField(visiting.page).waitFor()
    return { ...visiting, person }
  }
  return { app, provider, person, sitDown }
}

export const messageField = (page: Page) => page.getByLabel('Message', { exact: true })

/** Sends what the field holds, once an earlier reply has ended. */
export const sendMessage = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
  await messageField(page).press('Enter')
}

export const say = async (page: Page, text: string): Promise<void> => {
  await messageField(page).fill(text)
  await sendMessage(page)
}

/** Words in the conversation; the live region that repeats them is outside it. */
export const shown = (page: Page, text: string) => page.getByRole('region', { name: 'Conversation' }).getByText(text)

/** Two cores are shared by many. */
export const patient = { timeout: 15_000 }

export const replies = (page: Page) => page.getByRole('article', { name: /^Reply by/ })

/** The last reply has ended. */
export const replied = (page: Page) => page.getByRole('button', { name: 'Copy reply' }).last().waitFor()

/** Changes the chat and waits until the server has stored it: the page shows it earlier, and a reload would cancel it. */
export const storing = async (page: Page, change: () => Promise<void>): Promise<void> => {
  const isStored = (response: Response) =>
    response.request().method() === 'POST' && /\/api\/v1\/chats\/[0-9a-f-]{36}$/.test(response.url())
  const stored = page.waitForResponse(isStored)
  await change()
  expect((await stored).status()).toBe(200)
}
