import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runSync } from './run-sync.ts'

/** The server, behind the two ways in which a browser calls it. */
const server = { uploads: 0, lostUploads: 0, synced: [] as unknown[], deleted: 0, onSync: () => new Response() }

const fileOf = (number: number) => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  user_id: '00000000-0000-4000-8000-000000000000',
  filename: 'a.txt',
  hash: '',
  data: { status: 'completed' },
  meta: { name: 'a.txt', content_type: 'text/plain', size: 1 },
  created_at: 0,
  updated_at: 0,
})

class Request {
  upload = {}
  status = 200
  responseText = ''
  onload = () => {}
  onerror = () => {}
  open() {}
  setRequestHeader() {}
  getResponseHeader = () => null
  send() {
    server.uploads += 1
    const isLost = server.uploads <= server.lostUploads
    this.responseText = JSON.stringify(fileOf(server.uploads))
    queueMicrotask(() => (isLost ? this.onerror() : this.onload()))
  }
}

const fetched = async (path: string, { method, body }: RequestInit) => {
  if (method === 'DELETE') {
    server.deleted += 1
    return new Response(null, { status: 204 })
  }
  if (method === 'GET') return Response.json({ ...fileOf(0), id: path.split('/').at(-1) })
  server.synced.push(JSON.parse(String(body)))
  return server.onSync()
}

const counts = { added: 4, changed: 0, removed: 1, unchanged: 0, deleted: 0 }
const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, hash: path, source: new File([path], path) }))
const paths = files.map(({ path }) => path)
const preview = { ...counts, missing: paths, plan: { added: paths, changed: [], removed: ['old'] } }

/** Its result, or the sentence of its failure. The pauses between two tries take no time. */
const sync = async () => {
  const { signal } = new AbortController()
  const ended = runSync({ collectionId: 'c', files, preview }, { report: () => {}, signal }).then(
    (result) => result,
    ({ message }: Error) => message,
  )
  await vi.advanceTimersByTimeAsync(60_000)
  return ended
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', Request)
  vi.stubGlobal('fetch', fetched)
  const onSync = () => Response.json({ ...counts, missing: [] })
  Object.assign(server, { uploads: 0, lostUploads: 0, synced: [], deleted: 0, onSync })
})
afterEach(() => void vi.useRealTimers())
afterAll(() => void vi.unstubAllGlobals())

it('tries uploads again after a short loss of the connection, and removes only what the preview showed', async () => {
  server.lostUploads = 5
  expect(await sync()).toEqual({ word: '4 files added, 0 changed, 1 removed', problems: [] })
  expect(server).toMatchObject({ uploads: 9, deleted: 0 })
  expect(server.synced).toEqual([
    { files: paths.map((path) => expect.objectContaining({ path })), expected_removals: ['old'], expected_changes: [] },
  ])
})

it('ends without a change when the server stays away, instead of leaving out the files that it could not send', async () => {
  server.lostUploads = Number.POSITIVE_INFINITY
  expect(await sync()).toContain('Couldn’t reach the server')
  expect(server.synced).toEqual([])
})

it('deletes its uploads when the server refuses the change, but not when the reply is lost', async () => {
  const refusal = { code: 'collection_changed', detail: 'Files were added.' }
  server.onSync = () => Response.json(refusal, { status: 409 })
  expect([await sync(), server.deleted]).toEqual(['Files were added.', 4])
  server.onSync = () => Response.json({ ...counts, missing: ['a'] })
  expect([await sync(), server.deleted]).toEqual([expect.stringContaining('changed meanwhile'), 8])
  server.onSync = () => {
    throw new TypeError('Failed to fetch')
  }
  expect([await sync(), server.deleted]).toEqual([expect.stringContaining('Couldn’t reach'), 8])
})
