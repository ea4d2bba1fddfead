/** A route that blocks is named by its pattern, after it has waited, and not the routes beside it. */
import { beforeAll, expect, it } from 'vitest'
import { route } from '#kernel/http/route.ts'
import { type Door, startDoor } from '#test/harness/door.ts'
import { whoBlocked } from '#test/harness/who-blocked.ts'

const block = () => {
  const until = performance.now() + 1500
  while (performance.now() < until) Math.sqrt(until)
}

let door: Door
beforeAll(async () => {
  door = await startDoor({
    routes: () => [
      route({
        method: 'GET',
        path: '/slow/:name',
        access: 'public',
        reply: 'raw',
        summary: 'Blocks',
        handle: async () => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          block()
          return { headers: {}, body: 'done' }
        },
      }),
      route({
        method: 'GET',
        path: '/fine',
        access: 'public',
        reply: 'raw',
        summary: 'Waits',
        handle: async () => ({ headers: {}, body: 'done' }),
      }),
    ],
  })
})

it('is told from the routes that wait for it', async () => {
  const blocks = await whoBlocked(() => Promise.all([fetch(`${door.url}/slow/x`), fetch(`${door.url}/fine`)]))
  expect(blocks).toContainEqual(expect.objectContaining({ what: 'GET /slow/:name', owner: null }))
  expect(blocks).not.toContainEqual(expect.objectContaining({ what: 'GET /fine' }))
})
