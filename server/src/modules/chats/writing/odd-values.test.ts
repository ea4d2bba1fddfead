import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asked, chatOf, chatsOf, historyOf, newChat, type Wire } from '#test/harness/conversation.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const { read, messagesOf, merge, mergeMessages } = chatsOf(ana)

describe('A37: keys that would change every object', () => {
  const poisoned = ['constructor', 'prototype']
  it.each(poisoned)('%s is refused in params, in messages and at any depth, and nothing is stored', async (key) => {
    const { id } = await newChat(ana, [asked('Hi')])
    const before = await read(id)
    const bad = JSON.parse(`{"deep":[{"${key}":{"polluted":true}}]}`)
    const message = asked('x', bad)
    for (const chat of [{ params: bad }, { theme: bad }, { files: [bad] }, { history: historyOf([message]) }]) {
      expect(await merge(id, chat)).toMatchObject({ status: 400, body: { code: 'unsafe_key' } })
      expect(await ana.post('/api/v1/chats/new', { chat: chatOf([], chat) })).toMatchObject({ status: 400 })
    }
    expect(await read(id)).toEqual(before)
    expect(({} as Wire).polluted).toBeUndefined()
  })

  it('__proto__ is no id of a message, nor are other words', async () => {
    const { id } = await newChat(ana, [asked('Hi')])
    const send = (json: string) =>
      ana.send('POST', `/api/v1/chats/${id}`, { body: json, headers: { 'content-type': 'application/json' } })
    expect(await send('{"chat":{"history":{"messages":{"__proto__":{"role":"user"}}}}}')).toMatchObject({ status: 400 })
    for (const key of ['constructor', 'toString', 'x', ''])
      expect(await send(`{"chat":{"history":{"messages":{"${key}":{"role":"user"}}}}}`)).toMatchObject({ status: 422 })
    expect(Object.keys(await messagesOf(id))).toHaveLength(1)
  })
})

describe('A40: odd values', () => {
  it.each([
    ['quotes and wildcards', `'; drop table chats; -- % _ $1 \\ "`],
    ['other alphabets and joined emoji', '日本語 👩‍🚀 ﷽ e\u0301'],
    ['control characters', '\u0001\t\r\n\u007f'],
    ['words that look like markup', '</script><img src=x onerror=alert(1)>'],
  ])('%s come back as they went in', async (_name, text) => {
    const question = asked(text, { note: { [text]: text } })
    const { id } = await newChat(ana, [question], { title: text.slice(0, 500), params: { stop: text } })
    expect(await read(id)).toMatchObject({ title: text, chat: { params: { stop: text } } })
    expect((await messagesOf(id))[question.id]).toMatchObject({ content: text, note: { [text]: text } })
    expect(await ana.get(`/api/v1/chats/search?text=${encodeURIComponent(text)}`)).toMatchObject({ status: 200 })
  })

  it('numbers at the edge come back as they went in', async () => {
    const numbers = [1e308, -1e308, 5e-324, 0.1, Number.MAX_SAFE_INTEGER]
    const question = asked('Numbers', { numbers })
    const { id } = await newChat(ana, [question])
    expect((await messagesOf(id))[question.id]?.numbers).toEqual(numbers)
  })

  it('what is nested too deeply is refused', async () => {
    const { id } = await newChat(ana, [asked('Hi')])
    const deep = JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`)
    expect(await merge(id, { params: { deep } })).toMatchObject({ status: 400 })
    expect(await mergeMessages(id, { [randomUUID()]: { role: 'user', deep } })).toMatchObject({ status: 400 })
  })
})
