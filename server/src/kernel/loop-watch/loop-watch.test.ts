/** A block of the event loop is told with who caused it, not with who happened to wait. */
import { expect, it } from 'vitest'
import { whoBlocked } from '#test/harness/who-blocked.ts'
import { withMark } from './mark.ts'

const tick = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Blocks until it has been noticed, however slow the machine is. */
const block = () => {
  const until = performance.now() + 1500
  while (performance.now() < until) Math.sqrt(until)
}

it('names what ran and for whom, though it began in an earlier turn', async () => {
  const innocent = { what: 'GET /fine', owner: 'bob' }
  const blocks = await whoBlocked(() =>
    Promise.all([
      withMark({ what: 'GET /slow', owner: 'ana' }, async () => {
        await tick()
        block()
      }),
      withMark(innocent, async () => {
        for (let count = 0; count < 20; count += 1) await tick()
      }),
    ]),
  )
  expect(blocks).toContainEqual({
    what: 'GET /slow',
    owner: 'ana',
    stack: expect.arrayContaining([expect.stringContaining('block (')]),
  })
  expect(blocks).not.toContainEqual(expect.objectContaining(innocent))
})

it('names a pattern in the middle of its backtracking', async () => {
  const blocks = await whoBlocked(async () => {
    const until = performance.now() + 1500
    withMark({ what: 'job', owner: 'eve' }, () => {
      while (performance.now() < until) /^(a|aa)+$/.test(`${'a'.repeat(26)}b`)
    })
  })
  expect(blocks).toContainEqual(expect.objectContaining({ what: 'job', owner: 'eve' }))
})
