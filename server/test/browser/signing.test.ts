/** Signing in the browser: an owner prepares and sends a document, a recipient signs it on a phone. */
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { PDF } from '@libpdf/core'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Person } from '../harness/people.ts'
import { documentsPath, getDocument, makeDraft, makePdf, pdfOf, sendDraft, signatureField } from '../harness/signing.ts'
import { startModelProvider } from '../peers/model-provider.ts'
import { goTo, hasBrowser, type Visit, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { wide } from './profiles.ts'

const provider = await startModelProvider({ models: ['swift'] })
const app = await browserApp({ env: { COMPAT_API_BASE_URL: provider.url } })
const owner = await app.user({ name: 'Ana Ruiz', org: 'Ruiz Estates', isProven: true })
const phone = { width: 390, height: 844 }

/** The token is the only secret of a link: no other origin and no Referer may get it. */
const watchLeaks = (page: Page, token: string): string[] => {
  const leaks: string[] = []
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(app.url) || /^(data|blob):/.test(request.url())
    if (!isOurs || request.headers().referer?.includes(token)) leaks.push(request.url())
  })
  return leaks
}

type Tab = Pick<Visit, 'page' | 'inspect'>

describe.runIf(hasBrowser)('signing in the browser', () => {
  it('leads an owner from the upload to a sent document, and a recipient on a phone from the link to the sealed file', async () => {
    const { page, problems, inspect } = await visit(`${app.url}/documents`, { as: owner })
    const pdf = { name: 'Offer letter.pdf', mimeType: 'application/pdf', buffer: makePdf(2) }
    await page.getByLabel('PDF files').first().setInputFiles(pdf)
    await page.getByRole('button', { name: 'Add recipient' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add recipient' })
    await dialog.getByLabel('Name').fill('Carla Mendes')
    await dialog.getByLabel('Email').fill('carla@example.test')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: /Carla Mendes/, pressed: true }).waitFor()
    const id = page.url().split('/').at(-1) ?? ''

    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByText('Carla Mendes has no signature field.').waitFor()
    await page.getByRole('button', { name: 'Back to editing' }).click()
    await page.getByRole('button', { name: 'Signature', exact: true }).click()
    const field = page.getByRole('button', { name: 'Signature for Carla Mendes' })
    await dragBy(page, field, { x: 60, y: 90 })
    await page.keyboard.press('ControlOrMeta+d')
    await expect.poll(() => field.count()).toBe(2)
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => field.count()).toBe(1)
    await inspect('signing-editor')
    const middle = ({ x, width }: { x: number; width: number }) => x + width / 2
    await expect.poll(async () => (await getDocument(owner, id)).fields.map(middle)).toEqual([expect.closeTo(0.58, 1)])
    await meetOtherTab(page, id)
    await arrangeFields(page, id)

    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByLabel('Message').fill('Welcome aboard.')
    await page.getByRole('switch', { name: 'Email code' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Waiting for signatures').waitFor()
    await page.getByText('Ana Ruiz sent the document').waitFor()
    expect((await app.letterTo('carla@example.test')).text).toContain('Welcome aboard.')
    const sent = await getDocument(owner, id)
    expect(sent).toMatchObject({ state: 'SENT', emailOtp: true, fields: [{ page: 1 }, { page: 2 }] })

    const recipient = await signOnPhone('carla@example.test')
    await page.getByText('Completed', { exact: true }).waitFor()
    await page.getByText('Carla Mendes signed').waitFor()
    await verifyFile(recipient, recipient.sealed)
    expect([...problems.filter((problem) => !problem.includes('409')), ...recipient.problems]).toEqual([])
  })

  it('speaks the language of each recipient on a phone, refuses in it too, and loads a large document as it is read', async () => {
    const people = Object.keys(openIn).map((language) => ({ name: '7', email: `${language}@example.test`, language }))
    await sendDraft(owner, { title: '2026-7', recipients: people })
    const { page, problems } = await visit(`${app.url}/verify`)
    await page.setViewportSize(phone)
    const next = page.locator('button[type=submit]')
    for (const [language, open] of Object.entries(openIn)) {
      await goTo(page, (await app.letterTo(`${language}@example.test`)).link())
      const frame = page.locator(`[lang=${language}][dir=${language === 'ar' ? 'rtl' : 'ltr'}]`).first()
      const expectTranslated = async () => {
        const labels = await frame.locator('[aria-label]').evaluateAll((all) => all.map((one) => one.ariaLabel))
        expect([await frame.textContent(), ...labels].join('\n'), language).not.toMatch(english)
        expect(await page.evaluate('document.documentElement.scrollWidth'), language).toBe(phone.width)
      }
      await page.getByRole('button', { name: open }).waitFor()
      await expectTranslated()
      await page.getByRole('button', { name: open }).click()
      await page.getByRole('region', { name: '2026-7' }).getByRole('button').click()
      await page.getByRole('checkbox').check()
      await expectTranslated()
      await next.click()
      await page.getByRole('textbox').fill('😀')
      await next.click()
      await page.locator('[aria-invalid=true]').waitFor()
      await expectTranslated()
    }
    await page.setViewportSize(wide)
    await readLargeDocument(page)
    expect(problems).toEqual([])
  })

  it('shows a recipient what the sender filled in and the day of signing, and lets them stop the emails', async () => {
    const draft = await makeDraft(owner, { title: 'Parking space', recipients: [{ name: 'Ida Berg' }] })
    const own = draft.recipients[0]?.id ?? ''
    const text = (y: number, more: object) => ({ ...signatureField(own), y, height: 0.03, type: 'TEXT', ...more })
    await owner.put(`${documentsPath}/${draft.id}/fields`, [
      { ...signatureField(own), y: 0.4 },
      text(0.1, { label: 'Company', value: 'Acme Ltd', readOnly: true }),
      text(0.15, { label: 'City', value: 'Rome' }),
      text(0.5, { type: 'DATE' }),
    ])
    await owner.post(`${documentsPath}/${draft.id}/send`)
    const letter = await app.letterTo(draft.recipients[0]?.email ?? '')
    const { page, problems, inspect } = await visit(app.url + letter.link())
    await page.setViewportSize(phone)
    await page.getByRole('button', { name: 'Open document' }).click()
    await page.getByText('Ana Ruiz has filled in some fields.').waitFor()
    await page.getByRole('img', { name: 'Filled in by Ana Ruiz: Company' }).waitFor()
    const today = new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date())
    const day = page.getByRole('img', { name: 'Filled in when you sign: Date' })
    await expect.poll(() => day.locator('text').textContent()).toBe(today)
    await inspect('signing-prefilled')
    await page.getByRole('button', { name: 'Start signing' }).click()
    const agreement = page.getByRole('checkbox', { name: 'I have read this and agree' })
    await agreement.check()
    await page.getByRole('button', { name: 'Continue' }).click()
    // That panel has a button to go back, too.
    await agreement.waitFor({ state: 'detached' })
    // The signature is asked for first; the city has a value.
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('textbox', { name: 'City' }).waitFor()
    await page.getByText('Filled in by Ana Ruiz. Change it if it isn’t right.').waitFor()
    await inspect('signing-prefilled-field')

    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('menuitem', { name: 'Stop these emails' }).click()
    await page.getByRole('radio', { name: /No more emails from this sender/ }).check()
    expect((await getDocument(owner, draft.id)).recipients[0]?.refusesMail).toBeNull()
    await inspect('signing-stop-emails')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'You’ll get no more emails from this sender' }).waitFor()
    expect((await getDocument(owner, draft.id)).recipients[0]?.refusesMail).toBe('NO_MORE_MAIL')
    const office = await visit(`${app.url}/documents/${draft.id}`, { as: owner })
    await office.page.getByText('They want no emails from you').waitFor()
    await office.inspect('signing-refused-emails')
    await page.getByRole('button', { name: 'Get emails again' }).click()
    await page.getByRole('heading', { name: 'You’ll get emails from this sender again' }).waitFor()
    expect([...problems, ...office.problems]).toEqual([])
  })

  it('tells a sender whose email isn’t verified what the emails leave out', async () => {
    const newcomer = await app.user({ name: 'Nia Newcomer' })
    const draft = await makeDraft(newcomer, { title: 'First contract' })
    const { page, problems } = await visit(`${app.url}/documents/${draft.id}`, { as: newcomer })
    await page.getByRole('button', { name: 'Review and send' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review and send' })
    await dialog.getByText('leave out your name, the title and your message').waitFor()
    await dialog.getByRole('link', { name: 'Verify your email' }).click()
    await page.getByRole('button', { name: 'Send verification email' }).waitFor()
    expect(problems).toEqual([])
  })

  it('lets an owner act on several documents, edit and send a template, and tell another system by webhook', async () => {
    const sam = await app.user({ name: 'Sam Silva', isProven: true })
    for (const title of ['Bulk one', 'Bulk two']) await sendDraft(owner, { title })
    const { id: documentId } = await makeDraft(owner, { settings: { allowDelegation: true } })
    for (const title of ['Old name', 'Permit']) await owner.post('/api/signing/templates', { documentId, title })
    const { page, problems, inspect } = await visit(`${app.url}/documents?search=Bulk`, { as: owner })
    for (const title of ['Bulk one', 'Bulk two']) await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await page.getByRole('button', { name: 'Remind' }).click()
    await page.getByText('2 documents reminded').waitFor()
    await page.getByRole('checkbox', { name: 'Select Bulk one' }).check()
    await page.getByRole('button', { name: 'Move to folder' }).click()
    await page.getByRole('dialog').getByLabel('Folder').fill('Boats')
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
    await page.getByRole('link', { name: 'Boats' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select Bulk two' }).check()
    await inspect('signing-list')
    await page.getByRole('button', { name: 'Cancel documents' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel documents' }).click()
    await page.getByText('1 document cancelled').waitFor()

    await page.getByRole('link', { name: 'Templates' }).click()
    await sendTemplates(page, sam)
    await goTo(page, '/organization/webhooks')
    await addWebhook({ page, inspect })
    const theirs = await visit(`${app.url}/`, { as: sam })
    await delegate(theirs)
    expect((await app.letterTo('dora.deputy@example.test')).link()).toContain('/sign/')
    expect([...problems, ...theirs.problems]).toEqual([])
  })

  it('says which certificate seals, detects fields, lets a model write and answer, and has an order signed by a workflow', async () => {
    const files = [{ name: 'boat.pdf', bytes: await written(['Signature: ____________', 'Date: ________']) }]
    const draft = await makeDraft(owner, { title: 'Boat hire', files })
    const template = await owner.post('/api/signing/templates', { documentId: draft.id, title: 'Order contract' })
    const { page, problems, inspect } = await visit(`${app.url}/organization`, { as: owner })
    const settings = page.getByRole('region', { name: 'AI for documents' })
    await settings.getByLabel('Model').selectOption('swift')
    expect(await settings.getByRole('option').allInnerTexts()).toEqual(['Choose a model', 'swift'])
    await settings.getByRole('switch', { name: 'Let the model read documents' }).click()
    await page.getByText('AI for documents is on').waitFor()
    const certificate = page.getByRole('region', { name: 'Signing certificate' })
    await certificate.getByText('Made by this server').waitFor()
    await certificate.getByRole('button', { name: 'Use your own' }).click()
    await page.getByLabel('Key and certificates (PEM)').fill('not a key')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('no certificate').waitFor()
    await page.keyboard.press('Escape')

    await detectForTwo(page)
    await goTo(page, `/documents/${draft.id}`)
    await page.getByRole('button', { name: 'Detect fields' }).click()
    await page.getByText('2 fields placed').waitFor()
    await page.getByRole('button', { name: /^Date for/ }).waitFor()
    await page.getByRole('button', { name: 'Detect fields' }).click()
    await page.getByText('No new fields found').waitFor()
    provider.script({ text: 'You hire a boat.' })
    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByRole('button', { name: 'Write with AI' }).click()
    await expect.poll(() => page.getByLabel('Summary for recipients').inputValue()).toBe('You hire a boat.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Waiting for signatures').waitFor()
    provider.script({ text: 'Two lines are to be filled in [1].' })
    await page.getByLabel('Question').fill('What is to be filled in?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('Two lines are to be filled in').waitFor()
    await page.getByRole('list', { name: 'Pages' }).getByText('boat.pdf, page 1').waitFor()
    await inspect('signing-ask')

    await goTo(page, '/workflows')
    await makeOrderWorkflow({ page, inspect }, template.body.id)
    await goTo(page, (await app.letterTo(draft.recipients[0]?.email ?? '')).link())
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByText('You hire a boat.').waitFor()
    await summary.getByText('Written by a machine').waitFor()
    expect(problems).toEqual([])
  })
})

/** The page says whose the fields are; a click on one selects that one, and Shift adds another. */
const detectForTwo = async (page: Page): Promise<void> => {
  const lines = ['Customer', 'Signature: ____________', 'Date: ________', 'Supplier', 'Signature: ____________']
  const files = [{ name: 'supply.pdf', bytes: await written(lines, 2) }]
  const recipients = [{ name: 'Sam Lee' }, { name: 'Kim Ito' }]
  const draft = await makeDraft(owner, { title: 'Supply', files, recipients })
  await goTo(page, `/documents/${draft.id}`)
  await page.getByRole('button', { name: 'Detect fields' }).click()
  await page.getByText('3 fields placed for Sam Lee and Kim Ito').waitFor()
  const date = page.getByRole('button', { name: 'Date for Sam Lee' })
  const chosen = page.getByRole('region', { name: 'Properties' })
  await expect.poll(() => date.evaluate((field) => field.getBoundingClientRect().top < innerHeight)).toBe(true)
  expect(await chosen.count()).toBe(0)

  await page.getByRole('button', { name: 'Signature for Kim Ito' }).last().click()
  await date.click({ modifiers: ['Shift'] })
  await chosen.getByRole('heading', { name: '2 fields' }).waitFor()
  await date.click()
  await chosen.getByRole('heading', { name: 'Date' }).waitFor()
  await chosen.getByLabel('Recipient').selectOption('Kim Ito')
  await page.getByRole('button', { name: 'Date for Kim Ito' }).waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()
  const saved = await getDocument(owner, draft.id)
  const names = new Map(saved.recipients.map(({ id, name }) => [id, name]))
  expect(saved.fields.filter(({ page }) => page === 3).map((it) => [it.type, names.get(it.recipientId)])).toEqual([
    ['SIGNATURE', 'Sam Lee'],
    ['DATE', 'Kim Ito'],
    ['SIGNATURE', 'Kim Ito'],
  ])
}

/** The fields are changed elsewhere, and the person chooses: first their own, then the only field of the other tab. */
const meetOtherTab = async (page: Page, id: string): Promise<void> => {
  const signatures = page.getByRole('button', { name: /^Signature for/ })
  const saveElsewhere = async (count: number) => {
    const { recipients } = await getDocument(owner, id)
    const fields = Array.from({ length: count }, (_, index) => signatureField(recipients[0]?.id ?? '', index))
    expect((await owner.put(`${documentsPath}/${id}/fields`, fields)).status).toBe(200)
  }
  await saveElsewhere(3)
  await page.getByRole('button', { name: 'Signature', exact: true }).click()
  await page.getByText('The fields were changed in another tab.').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(async () => (await getDocument(owner, id)).fields.length).toBe(2)
  await page.getByText('Saved', { exact: true }).waitFor()
  await saveElsewhere(1)
  await page.getByRole('button', { name: 'Signature', exact: true }).click()
  await page.getByRole('button', { name: 'Use the other version' }).click()
  await expect.poll(() => signatures.count()).toBe(1)
}

/** Snaps, aligns, copies and undoes fields, jumps by small pictures of the pages, and zooms. Leaves a signature on each page. */
const arrangeFields = async (page: Page, id: string): Promise<void> => {
  const fields = async () => (await getDocument(owner, id)).fields
  const leftEdges = async () => (await fields()).map(({ x }) => x.toFixed(4))
  const signature = page.getByRole('button', { name: /^Signature for/ }).first()
  const text = page.getByRole('button', { name: /^Text for/ }).first()
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  const [from, to] = [await text.boundingBox(), await signature.boundingBox()]
  if (!from || !to) throw new Error('no fields')
  // Four pixels beside the left edge of the other field: too near to stay there.
  await dragBy(page, text, { x: to.x - from.x - 4, y: 40 })
  await expect.poll(leftEdges).toEqual(['0.1000', '0.1000'])

  await signature.click({ modifiers: ['Shift'] })
  await page.getByRole('heading', { name: '2 fields' }).waitFor()
  await page.getByRole('button', { name: 'Align right' }).click()
  const edges = async () => (await fields()).map(({ x, width }) => (x + width).toFixed(4))
  await expect.poll(edges).toEqual(['0.4000', '0.4000'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(leftEdges).toEqual(['0.1000', '0.1000'])

  const second = page.getByRole('region', { name: 'Offer letter.pdf, page 2' })
  await page.keyboard.press('ControlOrMeta+c')
  await page.getByRole('button', { name: 'Go to page 2' }).click()
  await expect.poll(async () => Math.round((await second.boundingBox())?.y ?? 0)).toBeLessThan(400)
  await page.keyboard.press('ControlOrMeta+v')
  await page.getByRole('button', { name: 'Go to page 2 2 fields' }).waitFor()
  await expect.poll(async () => (await fields()).map((field) => field.page)).toEqual([1, 1, 2, 2])

  const widthOf = async (target: Locator) => (await target.boundingBox())?.width ?? 0
  const pasted = page.getByRole('button', { name: /^Signature for/ }).last()
  const [before, share] = [await widthOf(second), (await widthOf(pasted)) / (await widthOf(second))]
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByText('75%').waitFor()
  expect(await widthOf(second)).toBeLessThan(before)
  expect((await widthOf(pasted)) / (await widthOf(second))).toBeCloseTo(share, 2)
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await fields()).length).toBe(2)
  await text.click()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Go to page 2' }).click()
  await page.getByRole('button', { name: 'Signature', exact: true }).click()
  await page.getByRole('button', { name: 'Go to page 2 1 field' }).waitFor()
}

/** By the mailed link, over code, consent and fields to the download. */
const signOnPhone = async (email: string) => {
  const link = (await app.letterTo(email)).link()
  const visited = await visit(app.url + link)
  const { page, inspect } = visited
  const leaks = watchLeaks(page, link.split('/').at(-1) ?? '')
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  expect(await page.content()).not.toContain('Offer letter')
  await page.getByLabel('Six-digit code').fill((await app.letterTo(email, 2)).code())

  await page.getByRole('button', { name: 'Open document' }).click()
  await page.getByRole('button', { name: 'Start signing' }).click()
  await page.getByRole('checkbox', { name: 'I have read this and agree' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Type', { exact: true }).click()
  await page.getByLabel('Your name').fill('')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Type your name.').waitFor()
  await page.getByText('Draw', { exact: true }).click()
  await page.getByText('Type your name.').waitFor({ state: 'hidden' })
  await dragBy(page, page.getByRole('img', { name: 'Signature' }), { x: 60, y: 30 })
  await page.getByRole('checkbox', { name: 'Use it for all 2 fields' }).waitFor()
  await inspect('signing-field')
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Finish and sign' }).click()

  await page.getByRole('heading', { name: 'You’ve signed' }).waitFor()
  const download = page.getByRole('link', { name: 'Download document' })
  await download.waitFor({ timeout: 60_000 })
  await inspect('signing-finished')
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  const sealed = await buffer(await file.createReadStream())
  expect(leaks).toEqual([])
  return { ...visited, sealed }
}

/** As it was sealed, and with one bit changed. */
const verifyFile = async ({ page, inspect }: Tab, bytes: Buffer): Promise<void> => {
  await goTo(page, '/verify')
  await page.getByLabel('PDF file').setInputFiles({ name: 'sealed.pdf', mimeType: 'application/pdf', buffer: bytes })
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('Sealed by this Chancery, and unchanged since.').waitFor()
  await inspect('signing-verify')
  bytes.writeUInt8(bytes.readUInt8(2_000) ^ 1, 2_000)
  const changed = await page.evaluateHandle(droppedFile(bytes))
  await page.getByRole('region', { name: 'PDF to verify' }).dispatchEvent('drop', { dataTransfer: changed })
  await result.getByRole('heading', { name: 'Not valid' }).waitFor()
}

/** In Arabic, page by page, until the link is replaced while the page is open. */
const readLargeDocument = async (page: Page): Promise<void> => {
  const files = [{ name: 'large.pdf', bytes: heavyPdf(8) }]
  const { id, recipients } = await sendDraft(owner, {
    files,
    recipients: [{ name: 'Amal', email: 'amal@example.test', language: 'ar' }],
  })
  const ranges: { start: number; end: number }[] = []
  page.on('request', (request) => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers().range ?? '') ?? []
    if (end !== undefined) ranges.push({ start: Number(start), end: Number(end) })
  })
  await goTo(page, (await app.letterTo('amal@example.test')).link())
  await page.getByRole('button', { name: openIn.ar }).click()
  await page.locator('[dir=rtl]').getByText('Here is page 1.').waitFor({ state: 'attached' })
  const isRead = (number: number) => {
    const middle = (number - 0.5) * pageBytes
    return ranges.some(({ start, end }) => start < middle && middle < end)
  }
  await expect.poll(() => isRead(1)).toBe(true)
  expect(isRead(7)).toBe(false)
  await page.getByRole('region', { name: 'صفحة 7 من 8' }).scrollIntoViewIfNeeded()
  await page.getByText('Here is page 7.').waitFor({ state: 'attached' })
  await expect.poll(() => isRead(7)).toBe(true)

  await page.getByRole('region', { name: 'Lease' }).getByRole('button').click()
  await owner.post(`${documentsPath}/${id}/recipients/${recipients[0]?.id}/resend`)
  await page.getByRole('checkbox').check()
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: 'هذا الرابط غير صالح أو انتهت صلاحيته' }).waitFor()
}

/** Goes to another page as soon as the text is shown, before the app can show the page that it wanted to go to. */
const goOnAtOnce = (text: string, path: string): string =>
  `new MutationObserver((_, observer) => {
    if (!document.body.textContent.includes(${JSON.stringify(text)})) return
    observer.disconnect()
    history.pushState(null, '', ${JSON.stringify(path)})
  }).observe(document.body, { childList: true, subtree: true })`

/** Renames one template, and sends the other to one person and to many. */
const sendTemplates = async (page: Page, sam: Person): Promise<void> => {
  await page.getByRole('button', { name: 'Actions for Old name' }).click()
  await page.getByRole('menuitem', { name: 'Edit name and settings' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('New name')
  await page.getByRole('switch', { name: 'Email code' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Actions for New name' }).waitFor()

  await page
    .getByRole('row', { name: /Permit/ })
    .getByRole('button', { name: 'Use', exact: true })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Permit for Sam')
  await dialog.getByLabel('Name').fill('Sam Silva')
  await dialog.getByLabel('Email').fill(sam.email)
  await page.evaluate(goOnAtOnce('“Permit for Sam” sent', '/documents/templates?search=Permit'))
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL('**/templates?search=Permit')

  await page.getByRole('button', { name: 'Actions for Permit' }).click()
  await page.getByRole('menuitem', { name: 'Send to many (CSV)' }).click()
  const wrong = {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Signer 1 email\nKim,kim@example.test\n'),
  }
  await page.getByLabel('CSV file').setInputFiles(wrong)
  const told = page.getByRole('alert')
  for (const text of ['2 problems found', 'The column “Signer 1 name” is missing.', 'The column “Name” is unknown.'])
    await told.getByText(text, { exact: true }).waitFor()
  const rows = 'title,Signer 1 name,Signer 1 email\nOne,Kim,kim@example.test\nTwo,Lee,no address\n'
  const csv = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) }
  await page.getByLabel('CSV file').setInputFiles(csv)
  await page.getByText('1 ready · 1 row with problems').waitFor()
  await page.getByText('Signer 1 email: Enter a valid email.').waitFor()
  await page.getByRole('button', { name: 'Send 1 document' }).click()
  await page.getByText('1 sent', { exact: false }).waitFor()
}

const addWebhook = async ({ page, inspect }: Tab): Promise<void> => {
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await page.getByRole('checkbox', { name: /document_completed/ }).check()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: /^Actions for http/ }).click()
  await page.getByRole('menuitem', { name: 'Deliveries and test' }).click()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Sending', { exact: true }).click()
  await page.getByText('Next attempt').waitFor()
  await inspect('webhooks')
}

/** A signed-in recipient opens theirs from home, and names somebody else. */
const delegate = async ({ page, inspect }: Tab): Promise<void> => {
  await page.getByRole('link', { name: /Documents\s*1\s*waiting for you/ }).waitFor()
  await page.getByRole('link', { name: /Permit for Sam/ }).click()
  await page.getByRole('button', { name: 'Sign Permit for Sam' }).waitFor()
  await inspect('signing-inbox')
  await page.getByRole('button', { name: 'Sign Permit for Sam' }).click()
  await page.getByRole('button', { name: 'Open document' }).click()
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: 'Ask someone else to sign' }).click()
  await page.getByLabel('Their name').fill('Dora Deputy')
  await page.getByLabel('Their email').fill('dora.deputy@example.test')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Dora Deputy has received a link to sign this document.').waitFor()
}

/** From the template for orders, with whom to send it to filled in. */
const makeOrderWorkflow = async ({ page, inspect }: Tab, templateId: string): Promise<void> => {
  await page.getByText('No workflows yet').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New workflow' })
  await dialog.getByText('Contract from an order, signed, archived').click()
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await page.getByRole('button', { name: '1 problem' }).click()
  await page.getByRole('button', { name: /^Have it signed · / }).click()
  const panel = page.getByRole('complementary', { name: 'Settings of Have it signed' })
  await panel.getByLabel('Template').fill('Order')
  await page.getByRole('option', { name: /Order contract/ }).click()
  await panel.getByLabel('Name of Signer 1').fill('{{ _event.payload.customer.name }}')
  await panel.getByLabel('Email of Signer 1').fill('{{ _event.payload.customer.email }}')
  await inspect('workflow-signature')
  await page.getByRole('button', { name: 'No problems' }).waitFor()
  const path = `/api/v1/agent-workflows/${new URL(page.url()).pathname.split('/')[2]}`
  const config = async () => (await owner.get(path)).body.graph.nodes[0].config
  await expect.poll(config).toMatchObject({
    template_id: templateId,
    recipients: [{ role: 'Signer 1', email: '{{ _event.payload.customer.email }}' }],
  })
}

/** The first button of the recipient's page. */
const openIn = {
  de: 'Dokument öffnen',
  fr: 'Ouvrir le document',
  es: 'Abrir el documento',
  pt: 'Abrir o documento',
  zh: '打开文件',
  ja: '文書を開く',
  ar: 'فتح المستند',
}
/** Words of the page that are English and nothing else. */
const english = /(?<!\p{L})(the|you|your|this|these|and|sign|open|type|draw|next|back|agree|required|theme)(?!\p{L})/iu

const pictureSide = 550
const pageBytes = pictureSide * pictureSide

/** Each page has a line of text, and a picture of noise, which can't be packed. */
const heavyPdf = (pages: number): Buffer => {
  const noise = randomBytes(pageBytes).toString('latin1')
  const size = `/Width ${pictureSide} /Height ${pictureSide} /ColorSpace /DeviceGray /BitsPerComponent 8`
  const picture = (number: number) =>
    `<< /Type /XObject /Subtype /Image ${size} /Length ${noise.length} >>\nstream\n${String.fromCharCode(number)}${noise.slice(1)}\nendstream`
  const content = (number: number) => {
    const text = `BT /F1 12 Tf 60 500 Td (Here is page ${number}.) Tj ET q 9 0 0 9 60 400 cm /I Do Q`
    return `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
  }
  const font = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
  const sheet = (own: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${own + 1} 0 R /Resources << ${font} /XObject << /I ${own + 2} 0 R >> >> >>`
  const numbers = Array.from({ length: pages }, (_, index) => index + 1)
  const ownOf = (number: number) => 3 * number
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((number) => `${ownOf(number)} 0 R`).join(' ')}] /Count ${pages} >>`,
    ...numbers.flatMap((number) => [sheet(ownOf(number)), content(number), picture(number)]),
  ])
}

/** A page with lines of text. */
const written = async (lines: readonly string[], pagesBefore = 0): Promise<Buffer> => {
  const pdf = PDF.create()
  for (let count = 0; count < pagesBefore; count += 1) pdf.addPage({ size: 'a4' })
  const page = pdf.addPage({ size: 'a4' })
  for (const [index, line] of lines.entries()) page.drawText(line, { x: 60, y: 500 - index * 60, size: 12 })
  return Buffer.from(await pdf.save())
}

/** A file that a person drops on the page: an expression, since it runs there. */
const droppedFile = (bytes: Buffer): string => `(() => {
  const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (letter) => letter.charCodeAt(0))
  const dropped = new DataTransfer()
  dropped.items.add(new File([bytes], 'changed.pdf', { type: 'application/pdf' }))
  return dropped
})()`

const dragBy = async (page: Page, target: Locator, { x, y }: { x: number; y: number }): Promise<void> => {
  const box = await target.boundingBox()
  if (!box) throw new Error('nothing to drag')
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(left, top)
  await page.mouse.down()
  await page.mouse.move(left + x / 2, top + y / 2)
  await page.mouse.move(left + x, top + y)
  await page.mouse.up()
}
