/** Documents to sign, in one line: a small real PDF, a draft with fields, and a recipient who acts by their mailed link. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { TestApp } from './app.ts'
import { type Client, createClient, type Reply } from './client.ts'

export const documentsPath = '/api/signing/documents'

/** A valid PDF of empty A4 pages, with a right table of positions. */
export const makePdf = (pages = 1): Buffer => {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> >>'),
  ]
  return pdfOf(objects)
}

/** A PDF of these objects, numbered from 1; the first is the catalog. */
export const pdfOf = (objects: readonly string[]): Buffer => {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

interface Upload {
  title?: string
  files?: { name: string; bytes: Buffer }[]
  /** Other text fields of the form. */
  fields?: Record<string, string>
}

/** As a browser sends a form. */
export const sendForm = async (
  who: Client,
  path: string,
  { title, files = [{ name: 'contract.pdf', bytes: makePdf() }], fields = {} }: Upload = {},
  headers: Record<string, string> = {},
): Promise<Reply> => {
  const form = new FormData()
  if (title !== undefined) form.set('title', title)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const { name, bytes } of files) form.append('file', new Blob([new Uint8Array(bytes)]), name)
  const request = new Response(form)
  const body = new Uint8Array(await request.arrayBuffer())
  return who.send('POST', path, {
    body,
    headers: { ...headers, 'content-type': request.headers.get('content-type') ?? '' },
  })
}

interface Wanted {
  name?: string
  email?: string
  role?: 'SIGNER' | 'APPROVER' | 'VIEWER' | 'CC'
  order?: number
  language?: string
  message?: string
}

export interface DraftOptions {
  title?: string
  recipients?: Wanted[]
  settings?: Record<string, unknown>
  files?: Upload['files']
}

let counter = 0

/** A draft that can be sent: every signer has a signature field, in a column. */
export const makeDraft = async (
  owner: Client,
  { title = 'Lease', recipients = [{}], settings, files }: DraftOptions = {},
): Promise<SigningDocument> => {
  const made = await sendForm(owner, documentsPath, { title, ...(files && { files }) })
  if (made.status !== 201) throw new Error(`no draft: ${made.text}`)
  const path = `${documentsPath}/${made.body.id}`
  if (settings) await owner.patch(path, settings)
  const people = recipients.map((wanted) => {
    counter += 1
    return { name: `Signer ${counter}`, email: `signer.${counter}.${made.body.id.slice(-6)}@example.test`, ...wanted }
  })
  const named = await owner.put(`${path}/recipients`, people)
  if (named.status !== 200) throw new Error(`no recipients: ${named.text}`)
  const signers = named.body.recipients.filter(({ role }: Wanted) => role === 'SIGNER')
  const fields = signers.map(({ id }: { id: string }, index: number) => signatureField(id, index))
  const placed = await owner.put(`${path}/fields`, fields)
  if (placed.status !== 200) throw new Error(`no fields: ${placed.text}`)
  return placed.body
}

export const signatureField = (recipientId: string, index = 0) => ({
  recipientId,
  type: 'SIGNATURE',
  page: 1,
  x: 0.1,
  y: 0.05 + (index % 10) * 0.09,
  width: 0.3,
  height: 0.05,
})

export const sendDraft = async (owner: Client, options: DraftOptions = {}): Promise<SigningDocument> => {
  const draft = await makeDraft(owner, options)
  const sent = await owner.post(`${documentsPath}/${draft.id}/send`)
  if (sent.status !== 200) throw new Error(`not sent: ${sent.text}`)
  return sent.body
}

export const getDocument = async (owner: Client, id: string): Promise<SigningDocument> =>
  (await owner.get(`${documentsPath}/${id}`)).body

/** A recipient with a link: `path` is what the token opens. */
export interface Visitor extends Client {
  token: string
  path: string
  email: string
  read(): Promise<Reply>
  /** Opens, reads, consents and signs every field with a typed name. */
  prepare(): Promise<void>
  /** Opens, consents, signs every field with a typed name, and completes. */
  sign(): Promise<Reply>
}

/** By the n-th mail to this address. */
export const visitorOf = async (app: TestApp, email: string, letter = 1): Promise<Visitor> => {
  const link = (await app.letterTo(email, letter)).link()
  return visitorWith(app, link.split('/').at(-1) ?? '', email)
}

export const visitorWith = (app: TestApp, token: string, email = ''): Visitor => {
  counter += 1
  const client = createClient(app.url, { 'x-forwarded-for': `10.200.${(counter >> 8) & 255}.${counter & 255}` })
  const path = `/api/public/sign/${token}`
  const read = () => client.get(path)
  const prepare = async () => {
    await client.post(`${path}/open`)
    await client.get(`${path}/file`)
    await client.post(`${path}/consent`, { accepted: true })
    const { body } = await read()
    const values = (body.fields ?? [])
      .filter((field: { isMine: boolean; type: string }) => field.isMine && field.type === 'SIGNATURE')
      .map(({ id }: { id: string }) => ({ fieldId: id, value: { typed: 'Sam Signer' } }))
    await client.put(`${path}/fields`, values)
  }
  const sign = async () => {
    await prepare()
    return client.post(`${path}/complete`)
  }
  return { ...client, token, path, email, read, prepare, sign }
}

/** The owner's documents in the order of their recipients, each with its link. */
export const visitorsOf = (app: TestApp, document: SigningDocument): Promise<Visitor[]> =>
  Promise.all(document.recipients.map(({ email }) => visitorOf(app, email)))
