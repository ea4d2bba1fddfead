/** Documents to sign: send a PDF, see how far it is, fetch the result. */
import { createWriteStream, openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, parse } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import type { Client } from '../src/index.ts'
import { type Call, CliError, type Command, listOption, textOption, UsageError } from './command.ts'

interface Person {
  name: string
  email: string
}

/** `Ana Example <ana@example.com>`, or an address alone. */
export const readPerson = (text: string): Person => {
  const [, name = '', email = text] = /^(.*?)\s*<([^<>]+)>\s*$/.exec(text) ?? []
  if (!email.includes('@')) throw new UsageError(`"${text}" is no email address. Write "Name <email>".`)
  return { name: name.trim() || (email.split('@')[0] ?? email), email: email.trim() }
}

/** On the last page of the first file, from the bottom up, two beside each other. */
const signatureFields = ({ files, recipients }: SigningDocument) =>
  recipients
    .filter(({ role }) => role === 'SIGNER')
    .map(({ id }, index) => ({
      recipientId: id,
      type: 'SIGNATURE' as const,
      page: files[0]?.pageCount ?? 1,
      x: index % 2 === 0 ? 0.1 : 0.55,
      y: Math.max(0.02, 0.88 - Math.floor(index / 2) * 0.08),
      width: 0.35,
      height: 0.06,
    }))

const openFile = (path: string): Promise<Blob> =>
  openAsBlob(path).catch((problem: Error) => {
    throw new CliError(`${path} can't be read: ${problem.message}`)
  })

/** A draft that can't be sent is deleted again. */
const prepareAndSend = async (client: Client, { id }: SigningDocument, call: Call): Promise<SigningDocument> => {
  const params = { id }
  const people = listOption(call, 'to').map((text, index) => ({ ...readPerson(text), order: index + 1 }))
  const copies = listOption(call, 'cc').map((text) => ({ ...readPerson(text), role: 'CC' as const }))
  try {
    const signingOrder = call.options['in-order'] ? 'SEQUENTIAL' : 'PARALLEL'
    const message = textOption(call, 'message')
    await client.call(endpoints.changeDocument, {
      params,
      body: { signingOrder, ...(message !== undefined && { message }) },
    })
    const named = await client.call(endpoints.setRecipients, { params, body: [...people, ...copies] })
    await client.call(endpoints.setFields, { params, body: signatureFields(named) })
    return await client.call(endpoints.sendDocument, { params })
  } catch (error) {
    await client.call(endpoints.deleteDocument, { params }).catch(() => undefined)
    throw error
  }
}

export const sendPdf: Command = {
  name: 'documents send',
  arguments: ['FILE'],
  options: {
    to: { type: 'string', multiple: true },
    cc: { type: 'string', multiple: true },
    title: { type: 'string' },
    message: { type: 'string' },
    'in-order': { type: 'boolean' },
  },
  sentence: 'Send a PDF to people who should sign it: --to "Ana Example <ana@example.com>". Prints its id.',
  details:
    'Each of them gets a signature field at the bottom of the last page. For other fields use a template or the web app.',
  run: async (call) => {
    const [path = ''] = call.given
    const to = listOption(call, 'to')
    if (to.length === 0) throw new UsageError('Say who signs: --to "Name <email>".')
    for (const text of [...to, ...listOption(call, 'cc')]) readPerson(text)
    const form = new FormData()
    form.set('title', textOption(call, 'title') ?? parse(path).name)
    form.append('file', await openFile(path), basename(path))
    const client = await call.client()
    const draft = await client.call(endpoints.createDocument, { body: form, signal: call.terminal.signal })
    const { id } = await prepareAndSend(client, draft, call)
    call.terminal.say(id)
    return undefined
  },
}

export const documentStatus: Command = {
  name: 'documents status',
  arguments: ['DOCUMENT'],
  sentence: 'How far a document is, and who has signed.',
  run: async ({ client, given: [id = ''], terminal }) => {
    const { title, state, recipients, sealError } = await (await client()).call(endpoints.getDocument, {
      params: { id },
    })
    terminal.say(`${state}: ${title}`)
    for (const { name, email, state: each, declineReason } of recipients)
      terminal.say(`  ${each.padEnd(9)} ${name} <${email}>${declineReason === null ? '' : `: ${declineReason}`}`)
    if (sealError !== null) terminal.note(`It couldn't be sealed: ${sealError}`)
    return undefined
  },
}

/** A file that exists stays as it is, and a download that fails leaves none. */
const save = async (reply: Response, path: string): Promise<void> => {
  const isPdf = reply.headers.get('content-type')?.startsWith('application/pdf')
  if (!reply.body || !isPdf) throw new CliError('The server sent no PDF. Check its address.')
  const file = createWriteStream(path, { flags: 'wx' })
  try {
    await pipeline(Readable.fromWeb(reply.body as never), file)
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CliError(`${path} exists already. Delete it, or name another file with --output.`)
    await rm(path, { force: true })
    if (problem instanceof TypeError) throw new CliError('The download broke off. Try again.')
    throw problem
  }
}

export const downloadDocument: Command = {
  name: 'documents download',
  arguments: ['DOCUMENT'],
  options: { output: { type: 'string' }, original: { type: 'boolean' }, certificate: { type: 'boolean' } },
  sentence: 'Save the sealed PDF. With --original what was sent, with --certificate the record of who signed how.',
  run: async (call) => {
    const [id = ''] = call.given
    const params = { id }
    const { signal } = call.terminal
    const client = await call.client()
    const reply = await (call.options.certificate
      ? client.open(endpoints.readCertificate, { params, signal })
      : client.open(endpoints.readDocument, {
          params,
          query: { version: call.options.original ? 'original' : 'sealed' },
          signal,
        }))
    const path = textOption(call, 'output') ?? `${id}${call.options.certificate ? '-certificate' : ''}.pdf`
    await save(reply, path)
    call.terminal.say(path)
    return undefined
  },
}
