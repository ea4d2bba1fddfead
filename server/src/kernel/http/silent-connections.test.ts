import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'

it('stops though somebody holds a connection on which they never said a word', async () => {
  const app = await testApp()
  const silent = connect(Number(new URL(app.url).port), '127.0.0.1')
  await once(silent, 'connect')
  expect((await app.anonymous.get('/health')).status).toBe(200)
  const closed = once(silent, 'close')
  silent.resume()
  await app.stop()
  await closed
})
