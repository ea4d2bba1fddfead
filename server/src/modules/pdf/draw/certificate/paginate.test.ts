import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paginate, type Row } from './paginate.ts'

const rowOf = (height: number, more: Partial<Row> = {}): Row => ({
  texts: [],
  height,
  keepsNext: false,
  isGap: false,
  ...more,
})
const someRow = fc
  .record({ height: fc.integer({ min: 1, max: 30 }), keepsNext: fc.boolean(), isGap: fc.boolean() })
  .map(({ height, keepsNext, isGap }) => rowOf(height, { keepsNext, isGap }))

describe('the pages of a certificate', () => {
  it('never end with a heading', () => {
    const heading = rowOf(20, { keepsNext: true })
    const pages = paginate([rowOf(70), heading, rowOf(20)], 100)
    expect(pages.map((page) => page.length)).toEqual([1, 2])
    expect(pages[1]?.[0]).toEqual({ row: heading, top: 0 })
  })

  it('repeat the head of a table that goes on, and begin with no gap', () => {
    const head = rowOf(10, { keepsNext: true })
    const line = rowOf(40, { head })
    const [first = [], second = [], third = []] = paginate(
      [head, line, line, line, rowOf(50, { isGap: true }), line],
      100,
    )
    expect(first.map(({ row }) => row)).toEqual([head, line, line])
    expect(second).toMatchObject([
      { row: head, top: 0 },
      { row: line, top: 10 },
    ])
    expect(third.map(({ row }) => row)).toEqual([head, line])
  })

  it('hold every row once, in order, and none that reaches over the edge', () => {
    fc.assert(
      fc.property(fc.array(someRow, { maxLength: 60 }), (rows) => {
        const pages = paginate(rows, 100)
        const placed = pages.flat().map(({ row }) => row)
        expect(placed.filter(({ isGap }) => !isGap)).toEqual(rows.filter(({ isGap }) => !isGap))
        for (const page of pages) {
          const [last] = page.slice(-1)
          // A chain of rows that want to stay together may be longer than a page.
          const isLong = page.length > 3 && page.slice(0, -1).every(({ row }) => row.keepsNext)
          if (last && !isLong) expect(last.top + last.row.height).toBeLessThanOrEqual(100)
        }
      }),
    )
  })
})
