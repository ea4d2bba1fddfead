import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const module = fileURLToPath(new URL('./compact-heap.ts', import.meta.url))

/** In a process of its own, because compacting the heap of a worker, which has the whole server in it, takes seconds. */
const hasCompactedAfter = async (code: string): Promise<boolean> => {
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { compactHeap, compactHeapOnceStarted } from ${JSON.stringify(module)}
    const work = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); }
    let waste = Array.from({ length: 300_000 }, (_, i) => ({ i, text: 'waste ' + i }))
    const full = process.memoryUsage().heapTotal
    if (waste.length !== 300_000) throw new Error('Nothing was wasted.')
    waste = undefined
    // Before its loop has begun, Node.js doesn't count the time in which it works.
    await sleep(1)
    ${code}
    console.log(process.memoryUsage().heapTotal < full)
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return JSON.parse(stdout)
}

describe.concurrent('compacting the heap', () => {
  it('gives back what nothing refers to any more', async () => {
    expect(await hasCompactedAfter('compactHeap()')).toBe(true)
  })

  it('happens in a process that has little to do after its start', async () => {
    expect(await hasCompactedAfter('compactHeapOnceStarted([1000]); await sleep(1100)')).toBe(true)
  })

  it('does not happen in a process that is busy already, or was before it came to rest', async () => {
    expect(await hasCompactedAfter('compactHeapOnceStarted([100, 300]); work(200); await sleep(300)')).toBe(false)
  })
})
