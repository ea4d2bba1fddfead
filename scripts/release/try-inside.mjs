/** Runs inside the empty root of `try.sh`: starts the release, uses it, stops it, starts it again and stops it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const root = process.argv[2] ?? ''
const chancery = join(root, 'chancery')
const say = (/** @type {string} */ line) =>
  console.log(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${line}`)

const start = async () => {
  const began = performance.now()
  const child = spawn(chancery, ['start'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  const listening = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const listens = /ready at (http:\S+)/.exec(output)?.[1]
      if (listens) resolve(listens)
    })
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)))
  })
  // The empty root has no /etc/hosts.
  const address = String(listening).replace('localhost', '127.0.0.1')
  say(`ready after ${Math.round(performance.now() - began)} ms`)
  const stop = async () => {
    child.removeAllListeners('exit')
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    say(`stopped with exit code ${code}`)
    if (code !== 0) process.exit(1)
  }
  let token = ''
  const ask = async (/** @type {string} */ path, /** @type {object | undefined} */ body = undefined) => {
    const reply = await fetch(`${address}${path}`, {
      ...(body && { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    return text.startsWith('{') ? JSON.parse(text) : text
  }
  const signIn = async (/** @type {string} */ path, /** @type {object} */ body) => {
    token = (await ask(path, body)).token
  }
  return { ask, signIn, stop }
}

/** Where the root can be written after all, the trial shows nothing. */
try {
  mkdirSync('/opt/writable')
  throw new Error('The root can be written.')
} catch (error) {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EROFS') throw error
}
say(`user ${process.getuid?.()}, ${spawnSync(chancery, ['--version'], { encoding: 'utf8' }).stdout.trim()}`)

const person = { email: 'ana@example.com', password: 'a long enough phrase' }
const first = await start()
await first.ask('/health')
if (!(await first.ask('/')).includes('<script')) throw new Error('The web app is missing.')
await first.signIn('/api/auth/register', { name: 'Ana', ...person })

const question = { model: 'guide', messages: [{ role: 'user', content: 'How do I make a backup?' }] }
const { choices } = await first.ask('/api/chat/completions', question)
say(`the guide answers: ${choices[0].message.content.slice(0, 60).replaceAll('\n', ' ')}…`)

const form = new FormData()
form.append('file', new Blob(['Pelicans sleep on sandbanks.'], { type: 'text/plain' }), 'birds.txt')
const file = await first.ask('/api/v1/files/', form)
for (let status = 'pending'; status !== 'completed'; ) {
  status = (await first.ask(`/api/v1/files/${file.id}/process/status`)).status
  if (status === 'failed') throw new Error('The file could not be processed.')
}
say('a file is processed in a child process')

const collection = await first.ask('/api/v1/knowledge/create', { name: 'Birds', description: '' })
await first.ask(`/api/v1/knowledge/${collection.id}/file/add`, { file_id: file.id })
const query = { collection_names: [collection.id], query: 'where do birds rest', k: 1 }
const found = await first.ask('/api/v1/retrieval/query/collection', query)
say(`search by meaning finds: ${found.documents[0][0]}`)

const text = { title: 'Agreement', markdown: '# Agreement\n\n{{sig:signer}} 日本語 Ünïcode' }
const document = await first.ask('/api/signing/documents', text)
say(`a document of ${document.pageCount ?? document.pages?.length ?? '?'} page is made of a text`)
await first.stop()

const second = await start()
await second.signIn('/api/auth/login', person)
say(
  `after another start: ${(await second.ask('/api/v1/files/')).total} file, ${(await second.ask('/api/auth/me')).email}`,
)
await second.stop()
