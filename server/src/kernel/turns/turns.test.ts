import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const take = async (turns: ReturnType<typeof createTurns>, owner: string, order: string[], signal?: AbortSignal) => {
  const end = await turns(owner, signal)
  order.push(owner)
  return end
}

describe('turns', () => {
  it('go round the owners: one with a hundred waiting does not hold up the first of another', async () => {
    const turns = createTurns({ atOnce: 1, perOwner: 1 })
    const order: string[] = []
    const first = await take(turns, 'greedy', order)
    const waiting = [...Array.from({ length: 100 }, () => 'greedy'), 'other'].map((owner) => take(turns, owner, order))
    first()
    for (const one of waiting) void one.then((end) => end())
    await Promise.all(waiting)
    expect(order.indexOf('other')).toBeLessThan(4)
    expect(order).toHaveLength(102)
  })

  it('leave something for others, however much one owner asks for', async () => {
    const turns = createTurns({ atOnce: 3, perOwner: 2 })
    const order: string[] = []
    const asked = ['greedy', 'greedy', 'greedy', 'other'].map((owner) => take(turns, owner, order))
    await asked[3]
    expect(order).toEqual(['greedy', 'greedy', 'other'])
  })

  it('are refused to an owner with too many waiting, and to nobody else', async () => {
    const turns = createTurns({ atOnce: 1, perOwner: 1, maxWaitingPerOwner: 1 })
    const end = await turns('greedy')
    const waiting = turns('greedy')
    await expect(turns('greedy')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSec: expect.any(Number),
    })
    const other = turns('other')
    end()
    await (await waiting)()
    await (await other)()
  })

  it('are given up with their signal', async () => {
    const turns = createTurns({ atOnce: 1, perOwner: 1 })
    const end = await turns('one')
    const leaving = new AbortController()
    const left = turns('one', leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    end()
    await (await turns('one'))()
  })
})
