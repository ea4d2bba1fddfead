import { expect, it } from 'vitest'
import type { Outbound, OutboundReply } from '#kernel/outbound/index.ts'
import { createFetcher } from './fetch-for-plugin.ts'

const request = { url: 'https://a.test', method: 'GET', headers: [], body: null }
const { signal } = new AbortController()

it('has at most twenty replies open, however many requests are begun at once, and closes what comes late', async () => {
  const held = Promise.withResolvers<void>()
  let discarded = 0
  const reply = { status: 200, headers: new Headers(), url: request.url, body: [], discard: () => (discarded += 1) }
  const outbound = { fetch: () => held.promise.then(() => reply as unknown as OutboundReply) } as unknown as Outbound
  const fetcher = createFetcher(outbound)
  const begun = Array.from({ length: 25 }, () => fetcher.answer('fetch', request, signal))
  await expect(begun.at(-1)).rejects.toThrow('Too many replies')
  fetcher.close()
  held.resolve()
  const results = await Promise.allSettled(begun)
  expect(results.map(({ status }) => status)).toEqual(Array(25).fill('rejected'))
  expect(discarded).toBe(20)
})
