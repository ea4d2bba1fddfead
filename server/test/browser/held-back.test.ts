import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { wide } from './profiles.ts'

const app = await browserApp()

const hold = (row: { id: string; what: string; scopeId: string | null; kind?: string }) =>
  app.db
    .insertInto('heldBack')
    .values({ kind: 'job', claims: 3, reason: 'This ended the server three times.', since: new Date(), ...row })
    .execute()

describe.runIf(hasBrowser)('held back work', () => {
  it('is warned of at the start, listed with whose it is, and released after a question', async () => {
    const owner = await app.platformOwner()
    const ana = await app.user({ name: 'Ana Pereira', org: 'Aldgate Paper Company' })
    const { page, inspect } = await visit(`${app.url}/platform/held-back`, { as: owner })
    await page.getByText('Nothing is held back').waitFor()
    await inspect('held-back-empty')
    const file = randomUUID()
    await hold({ id: `files.process:${file}`, what: `Processing the file ${file}`, scopeId: ana.organizationId })
    await hold({ id: 'files.sweep:1', what: 'files.sweep', scopeId: null })
    await page.goto(`${app.url}/platform`)
    await page.getByText('2 pieces of work ended the server several times').waitFor()
    await inspect('held-back-overview')
    await page.getByRole('link', { name: 'View held back work' }).click()
    const rows = page.getByRole('table', { name: 'Held back work' }).getByRole('row')
    await rows.filter({ hasText: file }).getByRole('link', { name: 'Aldgate Paper Company' }).waitFor()
    const ofServer = rows.filter({ hasText: 'files.sweep' })
    await ofServer.getByText('The whole server').waitFor()
    expect(await ofServer.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
    await inspect('held-back')
    // The count on the last tab is out of sight on a phone, and must not widen the page.
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.setViewportSize(wide)

    await ofServer.getByRole('button', { name: /^Release/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click()
    await page.getByText('Work released').waitFor()
    await ofServer.waitFor({ state: 'detached' })
    await rows
      .filter({ hasText: file })
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing is held back').waitFor()
  })
})
