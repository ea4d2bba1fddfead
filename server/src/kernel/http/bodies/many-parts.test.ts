/** A body costs by its parts: 1 MB of brackets takes longer than 30 MB of text. */
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'

const app = await testApp()
const ana = await app.user()
const owner = await app.platformOwner()

const post = (path: string, body: string, type = 'application/json') =>
  ana.send('POST', path, { body, headers: { 'content-type': type } })

const fill = (part: string, bytes: number) => part.repeat(Math.floor(bytes / part.length))
const parts = ['[],', '{"a":{}},', '0,', '"",', '[[]],']

it.each(parts)('a body full of %s is refused before it is read', async (part) => {
  // Nobody has found out that it isn't even JSON.
  const reply = await post('/api/v1/chat/completions', `{"messages":[${fill(part, 1_000_000)}`)
  expect(reply).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
})

it('a body that is wrong in thousands of places is told a hundred of them', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, 'x']))
  const reply = await owner.post('/api/v1/connections', { prices: wrong })
  expect(reply.status).toBe(422)
  expect(reply.body.detail).toHaveLength(100)
})

it('a form with thousands of fields is refused', async () => {
  const reply = await post('/api/public/mcp/token', fill('a=&', 1_000_000), 'application/x-www-form-urlencoded')
  expect(reply.status).toBe(413)
})
