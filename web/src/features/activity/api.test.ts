import { expect, it } from 'vitest'
import { loadParts } from './api.ts'

const failed = () => Promise.reject(new Error('The server is down.'))
const some = { items: [], total: 3 }
const none = { items: [], total: 0 }

it('shows the other work when one request fails, and keeps what was known of that part', async () => {
  const requests = () => ({
    files: Promise.resolve(some),
    collections: failed(),
    crawls: Promise.resolve([]),
    imports: Promise.resolve([]),
  })
  expect(await loadParts(requests())).toEqual({ files: some, collections: none, crawls: [], imports: [] })
  const before = { files: none, collections: some, crawls: [], imports: [] }
  expect(await loadParts(requests(), before)).toEqual({ files: some, collections: some, crawls: [], imports: [] })
})

it('fails when every request does, so that it is tried again', async () => {
  const requests = { files: failed(), collections: failed(), crawls: failed(), imports: failed() }
  await expect(loadParts(requests)).rejects.toThrow('The server is down.')
})
