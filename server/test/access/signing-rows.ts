/** Documents, templates and links: owners and their admins, members of the organization, holders of a link. */
import { expect, vi } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { plainPdf } from '#test/harness/pdfs.ts'
import {
  type DraftOptions,
  documentsPath as documents,
  makeDraft,
  makePdf,
  sendDraft,
  sendForm,
  type Visitor,
  visitorsOf,
} from '#test/harness/signing.ts'
import { type Cast, everybody, none, onlyBoss, type Row, undelivered, withinOrganization } from './row.ts'

const marks = ['a title to hide', 'Hidden Signer']
const hidden = { title: 'a title to hide', recipients: [{ name: 'Hidden Signer' }] }
const ownerOrBoss = { ...none, stranger: 404, colleague: 404, boss: 200, self: 200, platformOwner: 401 }
const deleted = { ...ownerOrBoss, boss: 204, self: 204 }
/** An upload is refused for its type before anything is looked up, for everybody alike. */
const noForm = { ...none, stranger: 415, colleague: 415, boss: 415, self: 415, platformOwner: 401 }

const draft: Row['make'] = async (_app, { victim }) => {
  const { id, files } = await makeDraft(victim, hidden)
  return { id, marks, body: { fileIds: files.map((file) => file.id) } }
}
const plainDraft: Row['make'] = async (_app, { victim }) => ({ id: (await makeDraft(victim, hidden)).id, marks })
const twoFiles: Row['make'] = async (_app, { victim }) => {
  const files = [1, 2].map((pages) => ({ name: 'hidden.pdf', bytes: makePdf(pages) }))
  const made = await makeDraft(victim, { ...hidden, files })
  return { id: made.id, within: made.files[0]?.id ?? '', marks }
}
const sent: Row['make'] = async (_app, { victim }) => {
  const { id, recipients } = await sendDraft(victim, hidden)
  return { id, within: recipients[0]?.id ?? '', marks }
}
const sealFailed: Row['make'] = async (app, cast) => {
  const made = await sent(app, cast)
  await app.db.updateTable('signingDocuments').set({ state: 'SEAL_FAILED' }).where('id', '=', made.id).execute()
  return made
}
const completed: Row['make'] = async (app, { victim }) => {
  const document = await sendDraft(victim, hidden)
  const [visitor] = await visitorsOf(app, document)
  await visitor?.sign()
  await vi.waitFor(async () => expect((await visitor?.read())?.body.canDownload).toBe(true), { timeout: 20_000 })
  return { id: document.id, marks }
}

/** The built-in model answers without any provider. */
const readable: Row['make'] = async (_app, { victim, boss }) => {
  await boss.send('PUT', '/api/signing/ai', {
    body: JSON.stringify({ enabled: true, model: 'guide' }),
    headers: { 'content-type': 'application/json' },
  })
  const files = [{ name: 'hidden.pdf', bytes: await plainPdf() }]
  return { id: (await makeDraft(victim, { ...hidden, files })).id, marks }
}

const one = `${documents}/:id`
const recipient = `${one}/recipients/:recipientId`
const documentRows: Record<string, Row> = {
  [`GET ${one}`]: { make: plainDraft, statuses: ownerOrBoss },
  [`PATCH ${one}`]: { make: plainDraft, isHarmless: true, body: { folder: 'Moved' }, statuses: ownerOrBoss },
  [`DELETE ${one}`]: { make: plainDraft, isUsedUp: true, statuses: deleted },
  [`POST ${one}/files`]: { make: plainDraft, statuses: noForm },
  [`PUT ${one}/files`]: { make: draft, statuses: ownerOrBoss },
  [`DELETE ${one}/files/:fileId`]: { make: twoFiles, isUsedUp: true, statuses: deleted },
  [`PUT ${one}/recipients`]: { make: plainDraft, body: [], statuses: ownerOrBoss },
  [`PUT ${one}/fields`]: { make: plainDraft, isHarmless: true, body: [], statuses: ownerOrBoss },
  [`POST ${one}/send`]: { make: plainDraft, isUsedUp: true, statuses: ownerOrBoss },
  [`POST ${one}/cancel`]: { make: sent, isUsedUp: true, statuses: ownerOrBoss },
  [`POST ${one}/remind`]: { make: sent, statuses: ownerOrBoss },
  [`POST ${one}/retry-seal`]: { make: sealFailed, isUsedUp: true, statuses: ownerOrBoss },
  [`POST ${recipient}/resend`]: { make: sent, statuses: ownerOrBoss },
  [`POST ${recipient}/link`]: { make: undelivered(sent), statuses: ownerOrBoss },
  [`POST ${recipient}/replace`]: {
    make: sent,
    body: { name: 'Another', email: 'another@example.test' },
    isUsedUp: true,
    statuses: ownerOrBoss,
  },
  [`GET ${one}/file`]: { make: plainDraft, statuses: ownerOrBoss },
  [`GET ${one}/field-proposals`]: { make: plainDraft, statuses: ownerOrBoss },
  [`GET ${one}/certificate`]: { make: plainDraft, statuses: ownerOrBoss },
  [`POST ${one}/ask`]: { make: readable, isHarmless: true, body: { question: 'What is it?' }, statuses: ownerOrBoss },
  [`POST ${one}/summary`]: { make: readable, isHarmless: true, statuses: ownerOrBoss },
  [`GET ${one}/certificate.pdf`]: { make: completed, statuses: ownerOrBoss },
  [`GET ${one}/audit`]: { make: plainDraft, statuses: ownerOrBoss },
}

const makeTemplate = async ({ victim }: Cast) => {
  const { id: documentId } = await makeDraft(victim, hidden)
  return (await victim.post('/api/signing/templates', { documentId })).body
}
const template: Row['make'] = async (_app, cast) => ({ id: (await makeTemplate(cast)).id, marks: ['a title to hide'] })
const usedTemplate: Row['make'] = async (_app, cast) => {
  const { id, recipients } = await makeTemplate(cast)
  const person = { roleId: recipients[0].id, name: 'Kim', email: 'kim@example.test' }
  return { id, marks: ['a title to hide'], body: { recipients: [person] } }
}
const bulkJob: Row['make'] = async (_app, cast) => {
  const { id } = await makeTemplate(cast)
  const bytes = Buffer.from('Signer 1 name,Signer 1 email\nKim,kim@example.test')
  const path = `/api/signing/templates/${id}/bulk`
  const { body } = await sendForm(cast.victim, path, { files: [{ name: 'a.csv', bytes }] })
  return { id: body.id, marks: ['a title to hide', id] }
}
const oneTemplate = '/api/signing/templates/:id'
const members = (status: number) => ({ ...withinOrganization, colleague: status, self: status, boss: status })
const templateRows: Record<string, Row> = {
  [`GET ${oneTemplate}`]: { make: template, statuses: withinOrganization },
  [`PATCH ${oneTemplate}`]: {
    make: template,
    isHarmless: true,
    body: { folder: 'Moved' },
    statuses: withinOrganization,
  },
  [`DELETE ${oneTemplate}`]: { make: template, isUsedUp: true, statuses: members(204) },
  [`POST ${oneTemplate}/use`]: { make: usedTemplate, statuses: members(201) },
  [`POST ${oneTemplate}/bulk`]: { make: template, statuses: noForm },
  'GET /api/signing/bulk/:id': { make: bulkJob, statuses: ownerOrBoss },
}

const webhookPath = '/api/signing/webhooks'
/** Not a public address: nothing is ever sent there. */
const webhookUrl = 'http://127.0.0.1:9/hidden-hook'
const webhook: Row['make'] = async (_app, { boss }) => {
  const { body } = await boss.post(webhookPath, { url: webhookUrl })
  return { id: body.id, marks: [webhookUrl] }
}
const failedDelivery: Row['make'] = async (app, cast) => {
  const made = await webhook(app, cast)
  const { id: within } = (await cast.boss.post(`${webhookPath}/${made.id}/test`)).body
  const ended = { state: 'FAILED', nextAttemptAt: null } as const
  await app.db.updateTable('webhookDeliveries').set(ended).where('id', '=', within).execute()
  return { ...made, within }
}
const oneWebhook = `${webhookPath}/:id`
const accepted = { ...onlyBoss, boss: 202 }
const webhookRows: Record<string, Row> = {
  [`GET ${oneWebhook}`]: { make: webhook, statuses: onlyBoss },
  [`PATCH ${oneWebhook}`]: { make: webhook, body: { description: 'Ours' }, statuses: onlyBoss },
  [`DELETE ${oneWebhook}`]: { make: webhook, isUsedUp: true, statuses: { ...onlyBoss, boss: 204 } },
  [`POST ${oneWebhook}/rotate-secret`]: { make: webhook, statuses: onlyBoss },
  [`POST ${oneWebhook}/test`]: { make: webhook, statuses: accepted },
  [`GET ${oneWebhook}/deliveries`]: { make: webhook, statuses: onlyBoss },
  [`POST ${oneWebhook}/deliveries/:deliveryId/replay`]: { make: failedDelivery, isUsedUp: true, statuses: accepted },
}

/** For the recipient alone, who must have verified their address: here nobody has. `signing.test.ts` has those who did. */
const toSign: Row['make'] = async (app, { victim }) => {
  const owner = await app.user()
  const { recipients } = await sendDraft(owner, { title: 'a title to hide', recipients: [{ email: victim.email }] })
  return { id: recipients[0]?.id ?? '', marks: ['a title to hide'] }
}
const inboxRows: Record<string, Row> = {
  'POST /api/signing/inbox/:recipientId/open': {
    make: toSign,
    statuses: { ...none, stranger: 403, colleague: 403, boss: 403, self: 403, platformOwner: 401 },
  },
}

const linkOf = async (app: TestApp, { victim }: Cast, options: DraftOptions = {}): Promise<Visitor> => {
  const [visitor] = await visitorsOf(app, await sendDraft(victim, { ...hidden, ...options }))
  if (!visitor) throw new Error('no link')
  return visitor
}
const link =
  (options: DraftOptions = {}): Row['make'] =>
  async (app, cast) => ({ id: (await linkOf(app, cast, options)).token, marks: [] })
const plainLink = link()
const signedLink: Row['make'] = async (app, cast) => {
  const visitor = await linkOf(app, cast)
  await visitor.sign()
  return { id: visitor.token, marks: [] }
}
const completedLink: Row['make'] = async (app, cast) => {
  const visitor = await linkOf(app, cast)
  await visitor.sign()
  await vi.waitFor(async () => expect((await visitor.read()).body.canDownload).toBe(true), { timeout: 20_000 })
  return { id: visitor.token, marks: [] }
}
const mailedCode: Row['make'] = async (app, cast) => {
  const visitor = await linkOf(app, cast, { settings: { emailOtp: true } })
  await visitor.post(`${visitor.path}/otp`)
  return { id: visitor.token, marks: [], body: { otp: (await app.letterTo(visitor.email, 2)).code() } }
}
const all = (status: number) =>
  Object.fromEntries(Object.keys(everybody).map((role) => [role, status])) as Row['statuses']

/** The link is the credential: its holder may act, signed in or not. Another token is unknown to all. */
const path = '/api/public/sign/:token'
const holders = ['nobody', 'self'] as const
const linkRows: Record<string, Row> = {
  [`GET ${path}`]: { make: plainLink, statuses: everybody },
  [`POST ${path}/otp`]: {
    make: link({ settings: { emailOtp: true } }),
    isUsedUp: true,
    askedBy: holders,
    statuses: all(202),
  },
  [`POST ${path}/otp/verify`]: { make: mailedCode, isUsedUp: true, askedBy: holders, statuses: everybody },
  [`POST ${path}/open`]: { make: plainLink, isHarmless: true, statuses: everybody },
  [`POST ${path}/consent`]: { make: plainLink, isHarmless: true, body: { accepted: true }, statuses: all(204) },
  [`PUT ${path}/fields`]: { make: plainLink, isHarmless: true, body: [], statuses: all(204) },
  [`POST ${path}/complete`]: { make: signedLink, statuses: everybody },
  [`POST ${path}/decline`]: { make: link(), body: { reason: 'no' }, statuses: everybody },
  [`POST ${path}/delegate`]: {
    make: link({ settings: { allowDelegation: true } }),
    body: { name: 'Deputy', email: 'deputy@example.test' },
    isUsedUp: true,
    askedBy: holders,
    statuses: everybody,
  },
  [`POST ${path}/stop`]: { make: link(), body: { reason: 'NO_MORE_MAIL' }, statuses: all(204) },
  [`POST ${path}/resume`]: { make: plainLink, isHarmless: true, statuses: all(204) },
  [`GET ${path}/file`]: { make: plainLink, statuses: everybody },
  [`GET ${path}/download`]: { make: completedLink, statuses: everybody },
  [`GET ${path}/certificate.pdf`]: { make: completedLink, askedBy: holders, statuses: everybody },
}

export const signingRows: Record<string, Row> = {
  ...documentRows,
  ...templateRows,
  ...webhookRows,
  ...inboxRows,
  ...linkRows,
}
