import { afterAll, expect, it, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('removeEventListener', () => {})
afterAll(() => vi.unstubAllGlobals())

/** Uploads that reached the network, and those that were aborted there. */
const network = { sent: 0, aborted: 0 }
class Request {
  upload = {}
  onabort = () => {}
  open() {}
  setRequestHeader() {}
  send() {
    network.sent += 1
  }
  abort() {
    network.aborted += 1
    this.onabort()
  }
}
vi.stubGlobal('XMLHttpRequest', Request)

const { forgetTab } = await import('#lib/tab/forget-tab.ts')
const { listUploads, startUploads } = await import('#data/uploads.ts')
const { listWork, startWork } = await import('#lib/tab/tab-work.ts')
const { runSync } = await import('./run-sync.ts')

const nothing = { added: 0, changed: 0, removed: 0, unchanged: 0, deleted: 0 }

it('leaves nothing of the previous person to the next one: no sync and no upload', async () => {
  vi.useFakeTimers()
  const files = Array.from({ length: 5 }, (_, index) => new File(['secret'], `${index}.txt`))
  const synced = files.map((source) => ({ path: source.name, hash: source.name, source }))
  const preview = { ...nothing, missing: synced.map(({ path }) => path) }
  const start = { kind: 'folder-sync', name: 'Sync of “Salaries”', word: 'Starting' } as const
  await startWork(start, () => Promise.reject(new Error('It failed before.')))
  const sync = startWork(start, (run) => runSync({ collectionId: 'c', files: synced, preview }, run))
  startUploads(files)
  await expect.poll(() => network.sent).toBe(6)

  forgetTab()
  await sync
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect([listWork(), listUploads()]).toEqual([[], []])
  expect(network).toEqual({ sent: 6, aborted: 6 })
})
