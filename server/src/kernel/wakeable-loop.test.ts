import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { createTasks } from './tasks.ts'
import { createWakeableLoop } from './wakeable-loop.ts'

/** A loop whose passes end when the test says so. */
const createSteppedLoop = () => {
  const tasks = createTasks(createLog('silent'))
  const stopping = new AbortController()
  const passes: PromiseWithResolvers<boolean>[] = []
  const loop = createWakeableLoop({
    name: 'test',
    tasks,
    signal: stopping.signal,
    pass: () => {
      const pass = Promise.withResolvers<boolean>()
      passes.push(pass)
      return pass.promise
    },
  })
  const endPass = async (hasMore: boolean | Error) => {
    const pass = passes.at(-1)
    if (hasMore instanceof Error) pass?.reject(hasMore)
    else pass?.resolve(hasMore)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { loop, tasks, stopping, passes, endPass }
}

it('runs one pass at a time, and one more for all wakes that came during it', async () => {
  const { loop, passes, endPass } = createSteppedLoop()
  loop.wake()
  loop.wake()
  loop.wake()
  expect(passes).toHaveLength(1)
  await endPass(false)
  expect(passes).toHaveLength(2)
  await endPass(false)
  expect(passes).toHaveLength(2)
})

it('goes on while a pass says there is more', async () => {
  const { loop, passes, endPass } = createSteppedLoop()
  loop.wake()
  await endPass(true)
  await endPass(true)
  await endPass(false)
  expect(passes).toHaveLength(3)
})

it('can be woken again after a pass that failed', async () => {
  const { loop, tasks, passes, endPass } = createSteppedLoop()
  loop.wake()
  await endPass(new Error('broken'))
  expect(tasks.failuresOf('test')).toBe(1)
  expect(passes).toHaveLength(1)
  loop.wake()
  expect(passes).toHaveLength(2)
  await endPass(false)
})

it('starts no further pass once it was told to stop', async () => {
  const { loop, stopping, passes, endPass } = createSteppedLoop()
  loop.wake()
  loop.wake()
  stopping.abort()
  await endPass(true)
  loop.wake()
  expect(passes).toHaveLength(1)
})
