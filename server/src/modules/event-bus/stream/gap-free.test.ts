import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createGapFreeStream } from './gap-free.ts'

const at = (...seqs: number[]) => seqs.map((seq) => ({ seq }))

const open = (...xids: number[]) => new Set(xids.map(String))

describe('the gap-free stream', () => {
  it('returns at once what follows without a gap, whatever else is running', () => {
    const stream = createGapFreeStream(10)
    expect(stream.advance({ events: at(11, 12), running: undefined })).toEqual(at(11, 12))
    expect([stream.position(), stream.isWaiting()]).toEqual([12, false])
  })

  it('waits at a gap for the transactions that run when it is seen, and no longer', () => {
    const stream = createGapFreeStream(10)
    expect(stream.advance({ events: at(11, 13), running: undefined })).toEqual(at(11))
    expect(stream.isWaiting()).toBe(true)
    expect(stream.advance({ events: at(13, 15), running: open(5, 6) })).toEqual([])
    expect(stream.advance({ events: at(13, 15), running: open(6, 7) })).toEqual([])
    expect(stream.advance({ events: at(13, 15), running: open(7) })).toEqual(at(13))
    expect(stream.advance({ events: at(15), running: open() })).toEqual(at(15))
  })

  it('returns what fills the gap first', () => {
    const stream = createGapFreeStream(0)
    expect(stream.advance({ events: at(2), running: undefined })).toEqual([])
    expect(stream.advance({ events: at(1, 2), running: open(7) })).toEqual(at(1, 2))
    expect(stream.isWaiting()).toBe(false)
  })

  /**
   * A model of PostgreSQL: transactions get an id, then positions, then commit or roll back, interleaved in any order
   * with each other, with lists of running transactions, and with reads of the stream.
   */
  it('misses nothing that commits and repeats nothing, in any order of events', () => {
    const kind = fc.constantFrom('begin', 'insert', 'commit', 'abort', 'list', 'read')
    fc.assert(
      fc.property(fc.array(fc.record({ kind, which: fc.nat(5) }), { maxLength: 120 }), fc.nat(3), (steps, limit) => {
        const stream = createGapFreeStream(0)
        const begun: { xid: number; seqs: number[] }[] = []
        const visible: number[] = []
        const returned: number[] = []
        let [nextXid, nextSeq] = [1, 1]
        let running: ReadonlySet<string> | undefined
        const list = () => {
          if (stream.isWaiting()) running = open(...begun.map(({ xid }) => xid))
        }
        const read = () => {
          if (stream.isWaiting() && !running) return
          const events = at(...visible.toSorted((one, other) => one - other).filter((seq) => seq > stream.position()))
          returned.push(...stream.advance({ events: events.slice(0, limit + 1), running }).map(({ seq }) => seq))
          running = undefined
        }
        for (const { kind: what, which } of steps) {
          const index = which % Math.max(begun.length, 1)
          if (what === 'begin') begun.push({ xid: nextXid++, seqs: [] })
          else if (what === 'list') list()
          else if (what === 'read') read()
          else if (what === 'insert') begun[index]?.seqs.push(nextSeq++)
          else {
            const [ended] = begun.splice(index, 1)
            if (what === 'commit') visible.push(...(ended?.seqs ?? []))
          }
        }
        begun.length = 0
        for (let more = 0; more <= visible.length * 3 + 3; more += 1) {
          list()
          read()
        }
        expect(returned).toEqual(visible.toSorted((one, other) => one - other))
      }),
      { numRuns: 2000 },
    )
  })
})
