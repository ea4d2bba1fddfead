/** What a sender is asked and told about the files that they upload. */
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { activePdf, encryptedPdf, foreignSignedPdf } from '../harness/pdfs.ts'
import { onePage, rawPdf } from '../harness/raw-pdf.ts'
import { hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp()
const owner = await app.user({ name: 'Ana Ruiz', isProven: true })

const give = (page: Page, name: string, file: Buffer, label = 'PDF files') =>
  page.getByLabel(label).first().setInputFiles({ name, mimeType: 'application/pdf', buffer: file })
const answer = async (page: Page, password: string) => {
  const dialog = page.getByRole('dialog', { name: 'This PDF needs a password' })
  await dialog.getByLabel('PDF password').fill(password)
  await dialog.getByRole('button', { name: 'Open PDF' }).click()
}

describe.runIf(hasBrowser)('an upload in the browser', () => {
  it('asks for the password of a PDF until it opens, here and in the editor, and tells what was removed', async () => {
    const { page, problems, inspect } = await visit(`${app.url}/documents`, { as: owner })
    const locked = await encryptedPdf('secret')
    await give(page, 'locked.pdf', locked)
    await page.getByText('This PDF is protected by a password.').waitFor()
    await inspect('signing-upload-password')
    await answer(page, 'guess')
    await page.getByText("This password doesn't open the PDF.").waitFor()
    await inspect('signing-upload-wrong-password')
    await answer(page, 'secret')
    await page.getByText('Removed when the file was made safe: limits on printing and editing.').waitFor()

    await give(page, 'active.pdf', await activePdf(), 'More PDF files')
    await page.getByText('Removed when the file was made safe: scripts, links.').waitFor()
    await give(page, 'annex.pdf', locked, 'More PDF files')
    await answer(page, 'secret')
    const link = page.getByRole('link', { name: 'annex.pdf as uploaded' })
    await link.waitFor()
    await inspect('signing-upload-removed')
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect((await buffer(await file.createReadStream())).equals(locked)).toBe(true)
    expect(problems).toEqual([])
  })

  it('takes a signed PDF as a new document when its sender says so', async () => {
    const { page, problems, inspect } = await visit(`${app.url}/documents`, { as: owner })
    await give(page, 'signed.pdf', await foreignSignedPdf())
    const dialog = page.getByRole('dialog', { name: 'This PDF is already signed' })
    await dialog.getByText('Its signatures end if it is signed here as a new document.').waitFor()
    await inspect('signing-upload-signed')
    await dialog.getByRole('button', { name: 'Sign as a new document' }).click()
    await page.getByText('Signed before it was uploaded, by Somebody else.').waitFor()
    await inspect('signing-upload-earlier-signatures')
    expect(problems).toEqual([])
  })

  it.each([
    [
      'xfa',
      'This form can’t be signed',
      rawPdf(onePage({ catalog: '/AcroForm << /Fields [] /XFA [(form) 4 0 R] >>' })),
    ],
    [
      'readers-disagree',
      'This PDF doesn’t look the same everywhere',
      rawPdf([...onePage(), [4, '<< /Length 0 >>\nstream\n\nendstream']]),
    ],
    ['damaged', 'This PDF is damaged', rawPdf(onePage({ content: 'BT /F9 20 Tf (Shown) Tj ET' }))],
  ])('says what to do where it can’t go on (%s)', async (reason, title, file) => {
    const { page, problems, inspect } = await visit(`${app.url}/documents`, { as: owner })
    await give(page, 'contract.pdf', file)
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    await inspect(`signing-upload-${reason}`)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})
