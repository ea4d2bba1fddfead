/** What a signer sees, page by page, is what the sealed file shows in another program. */
import { readFileSync } from 'node:fs'
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { PDF } from '@libpdf/core'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fontFiles, readFont } from '#modules/pdf/draw/text/fonts.ts'
import { largestDifference, type PagePicture } from '../harness/page-picture.ts'
import { appendRevision, streamText } from '../harness/pdf-revisions.ts'
import { onePage, rawPdf } from '../harness/raw-pdf.ts'
import { documentsPath, getDocument, makeDraft, sendForm, visitorOf } from '../harness/signing.ts'
import { startPoppler } from '../peers/poppler.ts'
import { hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const poppler = startPoppler()
const app = await browserApp()
const owner = await app.user({ name: 'Ana Ruiz', isProven: true })

/** Two programs draw the same page less differently than this, and one more figure in it more; both are checked. */
const mostDifferent = 22

const producer = (name: string): Buffer => readFileSync(new URL(`../harness/producers/${name}.pdf`, import.meta.url))

const sheets = 'section[style*="aspect-ratio"]'

/** The n-th page as the open page has drawn it: its canvas alone, since fields lie above it. */
const photograph = async (page: Page, index: number): Promise<PagePicture> => {
  await page.locator(sheets).nth(index).scrollIntoViewIfNeeded()
  let last = ''
  const look = async () => {
    const before = last
    last = await page.evaluate<string>(readCanvas(index))
    return last !== '' && last === before
  }
  // It is drawn when it doesn't change any more.
  await expect.poll(look, { timeout: 20_000, interval: 300 }).toBe(true)
  const { width, height, grey } = JSON.parse(last) as { width: number; height: number; grey: string }
  return { width, height, pixels: Buffer.from(grey, 'base64') }
}

/** Nothing while it is blank. */
const readCanvas = (index: number): string => `(() => {
  const canvas = document.querySelectorAll('${sheets}')[${index}].querySelector('canvas')
  if (!canvas || canvas.width === 0) return ''
  const { width, height } = canvas
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
  let grey = ''
  for (let at = 0; at < data.length; at += 4) {
    const value = 0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2]
    grey += String.fromCharCode(data[at + 3] === 0 ? 255 : Math.round(value))
  }
  return /[^\\xff]/.test(grey) ? JSON.stringify({ width, height, grey: btoa(grey) }) : ''
})()`

/** All pages as the recipient sees them, and the sealed file. */
const signAndPhotograph = async (document: SigningDocument) => {
  await owner.post(`${documentsPath}/${document.id}/send`)
  const email = document.recipients[0]?.email ?? ''
  const { page, problems } = await visit(app.url + (await app.letterTo(email)).link())
  await page.getByRole('button', { name: 'Open document' }).click()
  const photographs: PagePicture[] = []
  const pages = document.files.reduce((count, file) => count + file.pageCount, 0)
  for (let index = 0; index < pages; index += 1) photographs.push(await photograph(page, index))
  expect(problems).toEqual([])
  const visitor = await visitorOf(app, email)
  await visitor.sign()
  await expect.poll(async () => (await getDocument(owner, document.id)).state, { timeout: 30_000 }).toBe('COMPLETED')
  const reply = await fetch(`${app.url}${documentsPath}/${document.id}/file?version=sealed`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  return { photographs, sealed: Buffer.from(await reply.arrayBuffer()) }
}

/** How much each page of the sealed file differs from what was seen, fields aside. */
const differencesOf = (
  { files, fields }: SigningDocument,
  { photographs, sealed }: { photographs: readonly PagePicture[]; sealed: Buffer },
): number[] => {
  const places = files.flatMap(({ id, pageCount }) =>
    Array.from({ length: pageCount }, (_, index) => `${id} ${index + 1}`),
  )
  return photographs.map((seen, index) => {
    const masks = fields.filter(({ fileId, page }) => `${fileId} ${page}` === places[index])
    return largestDifference(seen, poppler.page(sealed, index + 1, seen), masks)
  })
}

/** Letters of its own: others look different in every program. */
const written = async (text: string): Promise<Buffer> => {
  const pdf = PDF.create()
  const font = pdf.embedFont(readFont(fontFiles[0] ?? ''))
  pdf.addPage({ size: 'a4' }).drawText(text, { x: 60, y: 400, size: 12, font })
  return Buffer.from(await pdf.save())
}

/** A page on its side that shows a part of itself. */
const turned = rawPdf(
  onePage({ page: '/Rotate 90 /CropBox [20 20 180 150]', content: '0.8 0 0 rg 30 30 60 20 re f 0 g 120 90 9 50 re f' }),
)

/** Two bars, drawn for two sums, so that no font is in question. */
const [agreed, other] = ['0 g 20 20 40 12 re f', '0 g 20 60 160 12 re f']

/** Files that show one bar to one program and the other to another. */
const hiddenTable = () =>
  appendRevision(rawPdf(onePage({ content: agreed })), [[4, streamText('', agreed)]], {
    table: 'hybrid',
    listed: [[4, streamText('', other)]],
  })
const objectTwice = () => rawPdf([...onePage({ content: agreed }), [4, streamText('', other)]])
/** Programs that know no layers show both. */
const hiddenLayer = () =>
  rawPdf(
    onePage({
      content: `/OC /A BDC ${other} EMC /OC /B BDC ${agreed} EMC`,
      catalog: '/OCProperties << /OCGs [10 0 R 11 0 R] /D << /OFF [10 0 R] >> >>',
      resources: '/Properties << /A 10 0 R /B 11 0 R >>',
      more: [
        [10, '<< /Type /OCG /Name (A) >>'],
        [11, '<< /Type /OCG /Name (B) >>'],
      ],
    }),
  )

describe.runIf(hasBrowser)('a signer in the browser', () => {
  it('sees on each page what the sealed file shows, whichever program made it', async () => {
    const made = [await written('Pay 10 EUR'), turned, ...['chromium', 'libreoffice'].map(producer)]
    const files = made.map((bytes, index) => ({ name: `${index}.pdf`, bytes }))
    const draft = await makeDraft(owner, { title: 'Many programs', files })
    const seen = await signAndPhotograph(draft)
    const differences = differencesOf(draft, seen)
    expect(Math.max(...differences), differences.join(', ')).toBeLessThan(mostDifferent)
    const changed = { photographs: seen.photographs.slice(0, 1), sealed: await written('Pay 100 EUR') }
    expect(Math.max(...differencesOf(draft, changed))).toBeGreaterThan(mostDifferent)
  })

  it.each([
    ['a hidden table', hiddenTable],
    ['an object twice', objectTwice],
  ])('is never shown a file that shows something else to others: %s', async (_what, make) => {
    const made = await sendForm(owner, documentsPath, { files: [{ name: 'a.pdf', bytes: await make() }] })
    expect(made).toMatchObject({ status: 422, body: { code: 'pdf_readers_disagree' } })
  })

  it('sees a file with a hidden layer as everybody sees it once it is sealed', async () => {
    const draft = await makeDraft(owner, { title: 'Layers', files: [{ name: 'layers.pdf', bytes: hiddenLayer() }] })
    const seen = await signAndPhotograph(draft)
    const differenceFrom = (sealed: Buffer) => Math.max(...differencesOf(draft, { ...seen, sealed }))
    expect(differenceFrom(seen.sealed)).toBeLessThan(mostDifferent)
    expect(differenceFrom(rawPdf(onePage({ content: agreed })))).toBeLessThan(mostDifferent)
    expect(differenceFrom(rawPdf(onePage({ content: other })))).toBeGreaterThan(mostDifferent)
  })
})
