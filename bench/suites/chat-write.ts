/**
 * The cost of a turn in a long chat compared with a short one: merging two new messages into chats of 10 and of 5,000
 * messages, alternating. Limit: 1.5 times. Also prints how long reading a chat takes.
 */
import { randomUUID } from 'node:crypto'
import { median } from '../lib/first-byte.ts'
import { signUp } from '../lib/person.ts'
import { startServer } from '../lib/server.ts'

const rounds = 300
/** A new short chat is started after this many turns, before it becomes a long one. */
const turnsInShortChat = 5

interface BenchChat {
  id: string
  lastId: string
}

const words = 'A paragraph of ordinary length, as people and models write them to each other all day long. '.repeat(5)
const question = (id: string, parentId: string | null) => ({
  id,
  parentId,
  role: 'user',
  content: words,
  timestamp: 1_790_000_000,
  models: ['guide'],
  childrenIds: [],
})
const answer = (id: string, parentId: string, content: string) => ({
  id,
  parentId,
  role: 'assistant',
  content,
  timestamp: 1_790_000_000,
  childrenIds: [],
  done: content !== '',
  model: 'guide',
  modelName: 'Guide',
  modelIdx: 0,
})

/** Somebody who writes and reads chats over HTTP. */
const createWriter = (url: string, token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown): Promise<{ id: string }> => {
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as { id: string }
  }
  const startChat = async (messageCount: number): Promise<BenchChat> => {
    const messages: Record<string, object> = {}
    let lastId = ''
    for (let count = 0; count < messageCount; count += 2) {
      const [asked, replied] = [randomUUID(), randomUUID()]
      messages[asked] = question(asked, lastId || null)
      messages[replied] = answer(replied, asked, words)
      lastId = replied
    }
    const chat = { title: 'Bench', models: ['guide'], messages: [], history: { currentId: lastId, messages } }
    return { id: (await post('/api/v1/chats/new', { chat })).id, lastId }
  }
  const addTurn = async (chat: BenchChat): Promise<number> => {
    const [asked, replied] = [randomUUID(), randomUUID()]
    const messages = {
      [chat.lastId]: { childrenIds: [asked] },
      [asked]: question(asked, chat.lastId),
      [replied]: answer(replied, asked, ''),
    }
    const startedAt = performance.now()
    await post(`/api/v1/chats/${chat.id}`, { chat: { history: { currentId: replied, messages } } })
    chat.lastId = replied
    return performance.now() - startedAt
  }
  const get = (chat: BenchChat, more: Record<string, string> = {}) =>
    fetch(`${url}/api/v1/chats/${chat.id}`, { headers: { ...headers, ...more } })
  return { startChat, addTurn, get }
}
type Writer = ReturnType<typeof createWriter>

const measureTurns = async ({ startChat, addTurn }: Writer, long: BenchChat): Promise<void> => {
  for (let warmUp = 0; warmUp < 50; warmUp += 1) await addTurn(await startChat(10))
  let short = await startChat(10)
  const times: { short: number[]; long: number[] } = { short: [], long: [] }
  for (let round = 0; round < rounds; round += 1) {
    if (round % turnsInShortChat === 0) short = await startChat(10)
    times.short.push(await addTurn(short))
    times.long.push(await addTurn(long))
  }
  const [shortMs, longMs] = [median(times.short), median(times.long)]
  console.log(`a turn in a chat of 10 messages      ${shortMs.toFixed(2)} ms`)
  console.log(`a turn in a chat of 5,000 messages   ${longMs.toFixed(2)} ms`)
  console.log(`ratio                                ${(longMs / shortMs).toFixed(2)} (limit 1.5)`)
}

const measureReads = async ({ startChat, get }: Writer, long: BenchChat): Promise<void> => {
  const time = async (name: string, chat: BenchChat, more: Record<string, string> = {}): Promise<void> => {
    const taken: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const startedAt = performance.now()
      await (await get(chat, more)).arrayBuffer()
      taken.push(performance.now() - startedAt)
    }
    console.log(`${name.padEnd(36)} ${median(taken).toFixed(2)} ms`)
  }
  const thousand = await startChat(1000)
  await time('GET of 10 messages', await startChat(10))
  await time('GET of 1,000 messages', thousand)
  const etag = (await get(thousand)).headers.get('etag') ?? ''
  await time('GET of 1,000 messages, unchanged', thousand, { 'if-none-match': etag })
  await time('GET of 5,000 messages', long)
}

export const run = async (): Promise<void> => {
  const server = await startServer()
  const writer = createWriter(server.url, (await signUp(server.url)).token)
  const long = await writer.startChat(5000)
  await measureTurns(writer, long)
  await measureReads(writer, long)
  await server.stop()
}
