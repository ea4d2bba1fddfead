/** What a person makes in the release, and what of it must be the same after an upgrade and a restore. */
import { createHash, randomUUID } from 'node:crypto'
import { say } from './installation.mjs'

/** @import { Server } from './installation.mjs' */

export const person = { email: 'ana@example.com', password: 'a long enough phrase' }

/** Asks five times a second, for a minute. */
const waitFor = async (/** @type {string} */ what, /** @type {() => Promise<boolean>} */ isThere) => {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isThere()) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`${what} did not come within a minute.`)
}

export const makeThings = async (/** @type {Server} */ server) => {
  await server.ask('/health')
  if (!(await server.ask('/')).includes('<script')) throw new Error('The web app is missing.')
  await server.signIn('/api/auth/register', { name: 'Ana', ...person })
  await makeChat(server)
  await makeCollection(server)
  await makeSealedDocument(server)
  await makeRun(server)
}

const makeChat = async (/** @type {Server} */ { ask }) => {
  const question = { role: 'user', content: 'How do I make a backup?' }
  const { choices } = await ask('/api/chat/completions', { model: 'guide', messages: [question] })
  const { content } = choices[0].message
  say(`the guide answers: ${content.slice(0, 60).replaceAll('\n', ' ')}…`)
  const [q, a] = [randomUUID(), randomUUID()]
  const user = { id: q, ...question, timestamp: 1, models: ['guide'], childrenIds: [a] }
  const answer = { id: a, role: 'assistant', content, parentId: q, childrenIds: [], model: 'guide', timestamp: 2 }
  const history = { currentId: a, messages: { [q]: user, [a]: { ...answer, done: true } } }
  await ask('/api/v1/chats/new', { chat: { title: 'Backups', models: ['guide'], messages: [user, answer], history } })
}

const makeCollection = async (/** @type {Server} */ { ask }) => {
  const form = new FormData()
  form.append('file', new Blob(['Pelicans sleep on sandbanks.'], { type: 'text/plain' }), 'birds.txt')
  const file = await ask('/api/v1/files/', form)
  await waitFor('The text of the file', async () => {
    const { status } = await ask(`/api/v1/files/${file.id}/process/status`)
    if (status === 'failed') throw new Error('The file could not be processed.')
    return status === 'completed'
  })
  say('a file is processed in a child process')
  const collection = await ask('/api/v1/knowledge/create', { name: 'Birds', description: '' })
  await ask(`/api/v1/knowledge/${collection.id}/file/add`, { file_id: file.id })
}

const makeSealedDocument = async (/** @type {Server} */ { ask, download }) => {
  const text = { title: 'Agreement', markdown: '# Agreement\n\n{{sig:signer}} 日本語 Ünïcode' }
  const { id, recipients } = await ask('/api/signing/documents', text)
  const path = `/api/signing/documents/${id}`
  const signers = recipients.map((/** @type {{ id: string }} */ { id }) => ({
    id,
    name: 'Sam',
    email: 'sam@example.org',
  }))
  await ask(`${path}/recipients`, signers, 'PUT')
  const sent = await ask(`${path}/send`, {})
  const link = await ask(`${path}/recipients/${sent.recipients[0].id}/link`, {})
  const visit = `/api/public/sign/${link.url.split('/').at(-1)}`
  await ask(`${visit}/open`, {})
  await download(`${visit}/file`)
  await ask(`${visit}/consent`, { accepted: true })
  const fields = (await ask(visit)).fields.filter((/** @type {{ isMine: boolean }} */ { isMine }) => isMine)
  const values = fields.map((/** @type {{ id: string }} */ { id }) => ({ fieldId: id, value: { typed: 'Sam' } }))
  await ask(`${visit}/fields`, values, 'PUT')
  await ask(`${visit}/complete`, {})
  await waitFor('The seal', async () => (await ask(path)).state === 'COMPLETED')
  say('a document made of a text is signed by somebody else and sealed')
}

const makeRun = async (/** @type {Server} */ { ask }) => {
  const node = {
    id: 'a',
    type: 'transform',
    name: 'Sum',
    position: { x: 0, y: 0 },
    config: { fields: { sum: '2 + 3' } },
  }
  const workflow = await ask('/api/v1/agent-workflows', {
    name: 'Sum',
    graph: { nodes: [node], edges: [], settings: {} },
  })
  const path = `/api/v1/agent-workflows/${workflow.id}`
  await ask(`${path}/submit`, {})
  await ask(`${path}/approve`, {})
  await ask(`${path}/runs`, {})
  await waitFor('The end of the run', async () => (await ask(`${path}/runs`)).data[0].status === 'succeeded')
  say('a workflow is published and has run')
}

const digest = (/** @type {Buffer} */ bytes) => createHash('sha256').update(bytes).digest('hex')

/** By name, so that a difference says where it is. Releases may add to replies, so it is not whole replies. */
export const readThings = async (/** @type {Server} */ { ask, download, signIn }) => {
  await signIn('/api/auth/login', person)
  const me = await ask('/api/auth/me')
  const [chat] = (await ask('/api/v1/chats/')).items
  const conversation = (await ask(`/api/v1/chats/${chat.id}`)).chat
  const files = (await ask('/api/v1/files/')).items
  const collections = (await ask('/api/v1/knowledge/')).items
  const query = { collection_names: [collections[0].id], query: 'where do birds rest', k: 1 }
  const [document] = (await ask('/api/signing/documents')).data
  const path = `/api/signing/documents/${document.id}`
  const sealed = await download(`${path}/file?version=sealed`)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(sealed)], { type: 'application/pdf' }), 'agreement.pdf')
  const { valid, sealedHere, documentId } = await ask('/api/public/verify', form)
  const audit = await ask(`${path}/audit`)
  const [run] = (await ask('/api/v1/agent-runs')).data
  const things = {
    person: [me.id, me.name, me.email],
    chat: [chat.id, chat.title, Object.values(conversation.history.messages).map(({ id, content }) => [id, content])],
    files: await Promise.all(
      files.map(async (/** @type {{ id: string }} */ { id }) => [
        id,
        digest(await download(`/api/v1/files/${id}/content`)),
      ]),
    ),
    collections: collections.map((/** @type {{ id: string, name: string }} */ { id, name }) => [id, name]),
    found: (await ask('/api/v1/retrieval/query/collection', query)).documents[0],
    document: [document.id, document.title, document.state],
    original: digest(await download(`${path}/file`)),
    sealed: digest(sealed),
    seal: { valid, sealedHere, documentId },
    // Each download adds an entry.
    chain: [audit.valid, audit.entries.find((/** @type {{ type: string }} */ { type }) => type === 'sealed').hash],
    run: [run.id, run.status],
  }
  return { sealed, things: Object.fromEntries(Object.entries(things).map(([name, is]) => [name, JSON.stringify(is)])) }
}
