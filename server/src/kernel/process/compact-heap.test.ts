import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const module = fileURLToPath(new URL('./compact-heap.ts', import.meta.url))

/** In a process of its own, because compacting the heap of a worker, which has the whole server in it, takes seconds. */
const program = `
  import { compactHeap } from ${JSON.stringify(module)}
  let waste = Array.from({ length: 300_000 }, (_, i) => ({ i, text: 'waste ' + i }))
  const full = process.memoryUsage().heapTotal
  console.log(waste.length)
  waste = undefined
  compactHeap()
  console.log(process.memoryUsage().heapTotal < full)
`

it('compacting the heap gives back what nothing refers to any more', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(said.trim().split('\n')).toEqual(['300000', 'true'])
})
