/** A person writes a document in the browser, sees its pages meanwhile, and gets a draft with fields. */
import { describe, expect, it } from 'vitest'
import { getDocument } from '../harness/signing.ts'
import { hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp()
const owner = await app.user({ name: 'Ana Ruiz', org: 'Ruiz Estates', isProven: true })

describe.runIf(hasBrowser)('writing a document', () => {
  it('shows its pages while it is written, and makes a draft of them', async () => {
    const { page, problems, inspect } = await visit(`${app.url}/documents`, { as: owner })
    await page.getByRole('link', { name: 'Write' }).click()
    const preview = page.getByRole('region', { name: 'Pages' })
    await preview
      .getByText('Between [company]')
      .or(preview.getByText('[company]'))
      .first()
      .waitFor({ state: 'attached' })
    await expect.poll(() => page.getByRole('button', { name: 'Create draft' }).isDisabled()).toBe(true)
    await page.getByLabel('company', { exact: true }).fill('Ruiz Estates')
    await page.getByLabel('customer', { exact: true }).fill('Kim')
    await page.getByLabel('start', { exact: true }).fill('1 January')
    await preview.getByText('Ruiz Estates').first().waitFor({ state: 'attached' })
    await inspect('signing-write')

    const text = page.getByLabel('Text', { exact: true })
    await text.fill('# Short\n\n{{seal:Kim}}')
    await page.getByText('Neither a variable nor a field: seal:Kim').waitFor()
    await text.fill('# Short\n\n{{sig:Kim}} {{date:Kim}}')
    await preview.getByText('Short').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL(/\/documents\/[0-9a-f-]{36}$/)
    const document = await getDocument(owner, page.url().split('/').at(-1) ?? '')
    expect(document).toMatchObject({ state: 'DRAFT', recipients: [{ name: 'Kim', email: '' }] })
    expect(document.fields.map(({ type }) => type)).toEqual(['SIGNATURE', 'DATE'])
    await page.getByText('No email yet').waitFor()
    await inspect('signing-written-draft')
    // The browser logs the preview that was refused.
    expect(problems.filter((one) => !one.includes('422'))).toEqual([])
  })
})
