/** Documents in every state. They are sent and signed as people do it, so their seals and evidence are real. */

import { post } from '@chancery/contract/endpoint.ts'
import * as signing from '@chancery/contract/endpoints/signing.ts'
import * as visit from '@chancery/contract/endpoints/signing-public.ts'
import { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { TextDocumentBody } from '@chancery/contract/signing/written.ts'
import { type Contract, contracts, type Signer } from './content/contracts.ts'
import type { Person, Scene } from './context.ts'

/** The same address takes forms with files. */
const writeDocument = post('/api/signing/documents', {
  body: TextDocumentBody,
  reply: SigningDocument,
  status: 201,
  takesKey: true,
})

/** The ids of templates, by title. */
export const makeDocuments = async (scene: Scene): Promise<ReadonlyMap<string, string>> => {
  const templates = new Map<string, string>()
  for (const contract of contracts) {
    const owner = scene.person(contract.owner)
    const draft = await makeDraft(scene, owner, contract)
    if (contract.template) templates.set(contract.template.title, await makeTemplate(owner, draft, contract.template))
    await meetFate(scene, { owner, contract, draft })
  }
  return templates
}

const makeDraft = async (scene: Scene, owner: Person, contract: Contract): Promise<SigningDocument> => {
  const { title, markdown, folder, message, signers } = contract
  const written = await owner.call(writeDocument, { body: { title, markdown } })
  const params = { id: written.id }
  await owner.call(signing.changeDocument, { params, body: { folder, ...(message !== undefined && { message }) } })
  const body = written.recipients.map(({ id, name }) => ({ id, ...whoIs(scene, signers, name) }))
  return owner.call(signing.setRecipients, { params, body })
}

const whoIs = ({ person }: Scene, signers: readonly Signer[], role: string) => {
  const signer = signers.find((one) => one.role.toLowerCase() === role.toLowerCase())
  if (!signer) throw new Error(`nobody signs as ${role}`)
  const { name, email } = typeof signer.who === 'string' ? person(signer.who) : signer.who
  return { name, email }
}

const makeTemplate = async (
  owner: Person,
  { id: documentId, recipients }: SigningDocument,
  { title, roles: names }: NonNullable<Contract['template']>,
): Promise<string> => {
  const roles = recipients.map(({ id }, index) => ({ recipientId: id, name: names[index] ?? `Signer ${index + 1}` }))
  return (await owner.call(signing.createTemplate, { body: { documentId, title, roles } })).id
}

interface Fated {
  owner: Person
  contract: Contract
  draft: SigningDocument
}

const meetFate = async (scene: Scene, { owner, contract: { fate, signers }, draft }: Fated): Promise<void> => {
  if (fate === 'draft') return
  const params = { id: draft.id }
  const { recipients } = await owner.call(signing.sendDocument, { params })
  if (fate === 'cancelled') {
    await owner.call(signing.cancelDocument, { params, body: { reason: 'The landlord has sent a new offer.' } })
    return
  }
  const emails = signers.map(({ who }) => (typeof who === 'string' ? scene.person(who).email : who.email))
  const inOrder = emails.flatMap((email) => recipients.filter((one) => one.email === email))
  if ('declined' in fate) {
    const token = await openLink(scene, owner, draft.id, inOrder[0])
    await scene.visitor.call(visit.decline, { params: { token }, body: { reason: fate.declined } })
    return
  }
  for (const recipient of inOrder.slice(0, fate.signed)) await sign(scene, { owner, documentId: draft.id, recipient })
}

type Recipient = SigningDocument['recipients'][number]

/** Colleagues open it from their list, outsiders by a link that the sender hands over. */
const openLink = async (
  { people, visitor }: Scene,
  owner: Person,
  id: string,
  recipient: Recipient | undefined,
): Promise<string> => {
  if (!recipient) throw new Error(`the document ${id} has no such recipient`)
  const recipientId = recipient.id
  const colleague = people.find(({ email }) => email === recipient.email)
  const { path } = colleague
    ? await colleague.call(signing.openFromInbox, { params: { recipientId } })
    : { path: (await owner.call(signing.makeRecipientLink, { params: { id, recipientId } })).url }
  const token = path.split('/').at(-1) ?? ''
  await visitor.call(visit.openDocument, { params: { token }, body: { timeZone: 'Europe/Berlin' } })
  return token
}

interface Signing {
  owner: Person
  documentId: string
  recipient: Recipient
}

const sign = async (scene: Scene, { owner, documentId, recipient }: Signing): Promise<void> => {
  const { visitor } = scene
  const token = await openLink(scene, owner, documentId, recipient)
  const params = { token }
  await (await visitor.open(visit.readFile, { params, query: {} })).body?.cancel()
  await visitor.call(visit.consent, { params, body: { accepted: true } })
  const facts = await visitor.call(visit.getSigning, { params })
  if (facts.otpRequired) throw new Error('the demo asks for no codes')
  const mine = facts.fields.filter(({ isMine, type }) => isMine && type === 'SIGNATURE')
  const body = mine.map(({ id }) => ({ fieldId: id, value: { typed: recipient.name } }))
  await visitor.call(visit.fillFields, { params, body })
  await visitor.call(visit.complete, { params, body: { timeZone: 'Europe/Berlin' } })
}
