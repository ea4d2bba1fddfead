import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listWork, startWork, stopWork } from './tab-work.ts'

/** Listeners that make the browser ask before the page is left. */
const warnings = new Set<unknown>()
beforeEach(() => {
  vi.stubGlobal('addEventListener', (_: string, listener: unknown) => warnings.add(listener))
  vi.stubGlobal('removeEventListener', (_: string, listener: unknown) => warnings.delete(listener))
})
afterEach(() => vi.unstubAllGlobals())

const start = { kind: 'folder-sync', name: 'Docs', word: 'Starting' } as const

it('is listed with its progress and asks before the page is left, until it ends', async () => {
  const end = Promise.withResolvers<{ word: string; problems: string[] }>()
  const ended = startWork(start, ({ report }) => {
    report({ word: '1 of 2', part: 0.5 })
    return end.promise
  })
  expect(listWork()).toMatchObject([{ name: 'Docs', word: '1 of 2', part: 0.5, state: 'running' }])
  expect(warnings.size).toBe(1)
  end.resolve({ word: '2 added', problems: [] })
  await ended
  expect(listWork()).toEqual([])
  expect(warnings.size).toBe(0)
})

it('stays when it left something out or failed, and is gone when it was stopped', async () => {
  await startWork(start, async () => ({ word: '1 added', problems: ['b: no text'] }))
  await startWork(start, () => Promise.reject(new Error('The server is down.')))
  const stopped = startWork(start, ({ id, signal }) => {
    stopWork(id)
    return Promise.reject(signal.reason)
  })
  await stopped
  expect(listWork()).toMatchObject([
    { word: '1 added', state: 'done', problems: ['b: no text'] },
    { word: 'The server is down.', state: 'failed' },
  ])
  expect(warnings.size).toBe(0)
})
