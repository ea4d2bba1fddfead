/** Runs once for each test file, before it is read. */
import { setSourceMapsSupport } from 'node:module'
import { afterAll, beforeAll, vi } from 'vitest'
import './own-imports.ts'
import { beginFile, beginTests, endFile } from './at-end.ts'

// Vitest switches it on, and Node.js then reads the map of every package. Our code has none: stripping types moves nothing.
setSourceMapsSupport(false)
beginFile()
beforeAll(beginTests)
afterAll(endFile)
// The next file has the same globals.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
