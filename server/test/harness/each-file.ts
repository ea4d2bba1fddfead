/** Runs once for each test file, before it is read. */
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { awaited } from '../kernel/until.ts'
import { beginFile, beginTests, endFile } from './at-end.ts'

beginFile()
beforeAll(beginTests)
afterAll(endFile)
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const { what } of awaited) process.stderr.write(`“${task.name}” was waiting for: ${what()}\n`)
  awaited.clear()
})
// The next file has the same globals.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
