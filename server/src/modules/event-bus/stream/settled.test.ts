import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSettledStream } from './settled.ts'

const at = (...seqs: number[]) => seqs.map((seq) => ({ seq }))

describe('the settled stream', () => {
  it('passes on at once what follows without a gap, whatever else is open', () => {
    const stream = createSettledStream(10)
    expect(stream.advance({ events: at(11, 12), oldestOpen: 1n, nextNew: 9n })).toEqual(at(11, 12))
    expect(stream.place()).toBe(12)
  })

  it('waits at a gap for the transactions that were open when it was seen, and no longer', () => {
    const stream = createSettledStream(10)
    expect(stream.advance({ events: at(11, 13), oldestOpen: 5n, nextNew: 9n })).toEqual(at(11))
    expect(stream.advance({ events: at(13, 15), oldestOpen: 8n, nextNew: 12n })).toEqual([])
    expect(stream.advance({ events: at(13, 15), oldestOpen: 9n, nextNew: 14n })).toEqual(at(13))
    expect(stream.advance({ events: at(15), oldestOpen: 14n, nextNew: 14n })).toEqual(at(15))
  })

  it('passes on what fills the gap first', () => {
    const stream = createSettledStream(0)
    expect(stream.advance({ events: at(2), oldestOpen: 5n, nextNew: 7n })).toEqual([])
    expect(stream.advance({ events: at(1, 2), oldestOpen: 7n, nextNew: 8n })).toEqual(at(1, 2))
  })

  /**
   * A model of PostgreSQL: transactions take a number, then a place, then commit or roll back, in any order with each
   * other and with looks at the stream.
   */
  it('misses nothing that commits and repeats nothing, in any order of events', () => {
    const step = fc.record({ kind: fc.constantFrom('begin', 'draw', 'commit', 'abort', 'look'), which: fc.nat(5) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.nat(3), (steps, limit) => {
        const stream = createSettledStream(0)
        /** In the order of their numbers. */
        const open: { xid: bigint; seqs: number[] }[] = []
        const visible: number[] = []
        const passed: number[] = []
        let [nextXid, nextSeq] = [1n, 1]
        const look = () => {
          const events = at(...visible.toSorted((one, other) => one - other).filter((seq) => seq > stream.place()))
          const oldestOpen = open[0]?.xid ?? nextXid
          const page = events.slice(0, limit + 1)
          passed.push(...stream.advance({ events: page, oldestOpen, nextNew: nextXid }).map(({ seq }) => seq))
        }
        for (const { kind, which } of steps) {
          const index = which % Math.max(open.length, 1)
          if (kind === 'begin') open.push({ xid: nextXid++, seqs: [] })
          else if (kind === 'look') look()
          else if (kind === 'draw') open[index]?.seqs.push(nextSeq++)
          else {
            const [ended] = open.splice(index, 1)
            if (kind === 'commit') visible.push(...(ended?.seqs ?? []))
          }
        }
        open.length = 0
        for (let more = 0; more <= visible.length * 2; more += 1) look()
        expect(passed).toEqual(visible.toSorted((one, other) => one - other))
      }),
      { numRuns: 2000 },
    )
  })
})
