import { expect, it } from 'vitest'
import { createScanStart } from './scan-start.ts'

it('scans start after what was dispatched two seconds ago, never after anything newer', () => {
  const scan = createScanStart()
  expect(scan.next()).toBe(0)
  scan.dispatchedThrough(100, 1000)
  scan.dispatchedThrough(200, 1500)
  expect(scan.next()).toBe(0)
  scan.dispatchedThrough(300, 3000)
  expect(scan.next()).toBe(101)
  scan.dispatchedThrough(400, 4999)
  expect(scan.next()).toBe(101)
  scan.dispatchedThrough(500, 5000)
  expect(scan.next()).toBe(301)
})

it('a full scan is requested for one scan only', () => {
  const scan = createScanStart()
  scan.dispatchedThrough(100, 0)
  scan.dispatchedThrough(200, 2000)
  scan.requestFullScan()
  expect([scan.next(), scan.next()]).toEqual([0, 101])
})
