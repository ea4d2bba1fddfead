/** A start while the database can't be had: a load balancer without a primary, or nobody at all. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '#test/peers/free-port.ts'
import { launchChancery } from './chancery.ts'
import { tempFolder } from './temp-folder.ts'

const start = async (port: number) => {
  const env = { DATABASE_URL: `postgres://chancery:none@127.0.0.1:${port}/chancery` }
  const server = launchChancery({ dataDir: await tempFolder(), env })
  expect(await server.ended).toBe(1)
  return server.output().trim()
}

it('says in a sentence that nobody listens there', { timeout: 60_000 }, async () => {
  expect(await start(await freePort())).toMatch(
    /^The database at DATABASE_URL cannot be reached: connect ECONNREFUSED \S+\.$/,
  )
})

it('says in a sentence that connections are ended at once', { timeout: 60_000 }, async () => {
  const balancer = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  onTestFinished(() => void balancer.close())
  await new Promise((resolve) => balancer.once('listening', resolve))
  const { port } = balancer.address() as AddressInfo
  expect(await start(port)).toMatch(
    /^The database at DATABASE_URL cannot be reached: (Connection terminated|read ECONNRESET)/,
  )
})
