/** Coming back to a reply: what was missed, once, and then what is new. */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { framesIn, type PreparedChat, prepareChat } from '#test/harness/chat.ts'
import { createGate } from '#test/harness/failpoints.ts'
import { isBlocked } from '#test/harness/locks.ts'
import type { Person } from '#test/harness/people.ts'
import { gate, startModelProvider } from '#test/peers/model-provider.ts'

const provider = await startModelProvider({ models: ['swift'] })
const env = { COMPAT_API_BASE_URL: provider.url }
const beginning = createGate()
const app = await testApp({ env, failpoints: beginning })
const later = { prefer: 'respond-async' }

const start = async (person: Person, chunks: string[]) => {
  const chat = await prepareChat(person)
  const held = gate()
  provider.script({ chunks, gate: held })
  const reply = await person.post('/api/chat/completions', { model: 'swift', stream: true, ...chat.body }, later)
  expect(reply.status).toBe(202)
  return { chat, held }
}

/** Frames as they come; `leave` goes away in the middle. */
const follow = async (
  url: string,
  person: Person,
  { chat, after }: { chat: Pick<PreparedChat, 'chatId' | 'messageId'>; after: number | string },
) => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${person.token}` }
  const ref = `${url}/api/v1/chats/${chat.chatId}/messages/${chat.messageId}/stream`
  const reply = await fetch(`${ref}?after=${after}`, { headers, signal: leaving.signal })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const frames = (): ReplyFrame[] => framesIn(text.slice(0, text.lastIndexOf('\n\n') + 2))
  const until = async (isEnough: (frames: ReplyFrame[]) => boolean): Promise<ReplyFrame[]> => {
    while (!isEnough(frames())) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      text += value
    }
    return frames()
  }
  return { status: reply.status, until, all: () => until(() => false), leave: () => leaving.abort() }
}
const textOf = (frames: readonly ReplyFrame[]): string =>
  frames.map((frame) => frame.choices?.[0]?.delta?.content ?? '').join('')
const heard = (words: string) => (frames: readonly ReplyFrame[]) => textOf(frames).length >= words.length

describe('following a reply again', () => {
  it('loses and repeats nothing over any number of reconnections', async () => {
    const ana = await app.user()
    const chunks = Array.from({ length: 12 }, (_, index) => `word${index} `)
    const { chat, held } = await start(ana, chunks)
    let last = 0
    let text = ''
    for (const chunk of chunks) {
      const reader = await follow(app.url, ana, { chat, after: last })
      held.open()
      const frames = await reader.until(heard(chunk))
      reader.leave()
      text += textOf(frames)
      for (const { seq } of frames) {
        expect(seq).toBeGreaterThan(last)
        last = seq
      }
    }
    held.openForGood()
    await chat.done()
    expect(text).toBe(chunks.join(''))
  })

  it('gives a latecomer everything in few frames, and then the end', async () => {
    const ana = await app.user()
    const chunks = Array.from({ length: 50 }, (_, index) => `word${index} `)
    const { chat, held } = await start(ana, chunks)
    const first = await follow(app.url, ana, { chat, after: 0 })
    held.open(40)
    await first.until(heard(chunks.slice(0, 40).join('')))
    const late = await follow(app.url, ana, { chat, after: 0 })
    const [frame] = await late.until((frames) => frames.length >= 1)
    expect(textOf(frame ? [frame] : [])).toBe(chunks.slice(0, 40).join(''))
    held.openForGood()
    for (const reader of [first, late]) {
      const frames = await reader.all()
      expect(textOf(frames)).toBe(chunks.join(''))
      expect(frames.at(-1)).toMatchObject({ done: true })
    }
  })

  it('tells a finished reply in one frame that replaces what there is', async () => {
    const ana = await app.user()
    const { chat, held } = await start(ana, ['It is', ' noon'])
    held.openForGood()
    await chat.done()
    const reader = await follow(app.url, ana, { chat, after: 7 })
    expect(await reader.all()).toMatchObject([
      { seq: 8, content: 'It is noon', done: true, usage: { prompt_tokens: 10 } },
    ])
  })

  it('waits for a reply that another node writes', async () => {
    const ana = await app.user()
    const other = await testApp({ databaseUrl: app.databaseUrl, env: { ...env, DATABASE_URL: app.databaseUrl } })
    const { chat, held } = await start(ana, ['It is', ' noon'])
    const reader = await follow(other.url, ana, { chat, after: 0 })
    expect(reader.status).toBe(200)
    held.openForGood()
    expect(await reader.all()).toMatchObject([{ content: 'It is noon', done: true }])
    await other.stop()
  })

  it('is told of a reply that ends between the questions whether it is done and whether it runs', async () => {
    const ana = await app.user()
    const chat = await prepareChat(ana)
    const { following } = await app.db.transaction().execute(async (tx) => {
      await sql`lock table reply_tasks in access exclusive mode`.execute(tx)
      const following = follow(app.url, ana, { chat, after: 0 })
      await expect.poll(() => isBlocked(tx)).toBe(true)
      await tx
        .updateTable('chatMessages')
        .set({ done: true, content: 'It is noon' })
        .where('chatId', '=', chat.chatId)
        .where('id', '=', chat.messageId)
        .execute()
      return { following }
    })
    const reader = await following
    expect(reader.status).toBe(200)
    expect(await reader.all()).toMatchObject([{ content: 'It is noon', done: true }])
  })

  it('is told word by word of a reply that is about to begin here', async () => {
    const ana = await app.user()
    beginning.holdAt('reply: claimed')
    const starting = start(ana, ['It is', ' noon'])
    await expect.poll(beginning.isReached).toBe(true)
    const task = await app.db
      .selectFrom('replyTasks')
      .selectAll()
      .where('userId', '=', ana.id)
      .executeTakeFirstOrThrow()
    const reader = await follow(app.url, ana, { chat: task, after: 0 })
    beginning.letGo()
    const { held } = await starting
    held.open()
    expect(textOf(await reader.until(heard('It is')))).toBe('It is')
    held.openForGood()
    expect(textOf(await reader.all())).toBe('It is noon')
  })

  it('is refused where nothing was begun, and to strangers', async () => {
    const [ana, bob] = await Promise.all([app.user(), app.user()])
    const chat = await prepareChat(ana)
    const ref = `/api/v1/chats/${chat.chatId}/messages/${chat.messageId}/stream`
    expect(await ana.get(ref)).toMatchObject({ status: 404, body: { code: 'reply_not_running' } })
    expect(await bob.get(ref)).toMatchObject({ status: 404, body: { code: 'chat_not_found' } })
    expect(await ana.get(`${ref}?after=-1`)).toMatchObject({ status: 422 })
  })
})
