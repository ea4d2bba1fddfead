/** A body costs by its text, too: sorting the marks on one letter takes the square of their number. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { whoBlocked } from '#test/harness/who-blocked.ts'

const app = await testApp()
const ana = await app.user()

const marks = (count: number) => `a${'\u0345'.repeat(count)}${'\u0327'.repeat(count)}`

it('a name of 200,000 marks blocks nobody, not even from a stranger', async () => {
  const person = { name: marks(100_000), email: 'eve@example.test', password: 'a perfectly fine passphrase' }
  const blocks = await whoBlocked(async () => {
    expect((await app.newcomer().post('/api/auth/register', person)).status).toBe(422)
    const chat = { title: 'x', models: ['a'], messages: [], history: {}, tags: [marks(100_000)] }
    expect((await ana.post('/api/v1/chats/new', { chat })).status).toBe(200)
  })
  expect(blocks).toEqual([])
})

it('a password of a million characters is refused for its length', async () => {
  const person = { name: 'Eve', email: 'eve@example.test', password: '1'.repeat(1_000_000) }
  const { status, text } = await app.newcomer().post('/api/auth/register', person)
  expect([status, text.includes('at most 256 characters')]).toEqual([422, true])
})
