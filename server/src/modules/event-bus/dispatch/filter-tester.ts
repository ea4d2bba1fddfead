/** Tests the filters of a dispatch, in slices that are short enough to keep its lease. */
import type { Db } from '#kernel/db/database.ts'
import { type FilterCase, testFiltersMetered } from '../filter.ts'
import type { TestMetered } from '../interface.ts'
import { renewLeaseUnscoped } from '../queries/lanes.ts'
import type { TestFilters } from './decide.ts'

/** Evaluating this many filters that all use up their budget takes a few seconds. */
const maxSlice = 1000

export const filterTester =
  (test: TestMetered, tx: Db): TestFilters =>
  async (cases) => {
    const verdicts = cases.map((): Awaited<ReturnType<TestFilters>>[number] => [])
    for (const [number, slice] of slicesOf(cases).entries()) {
      if (number > 0) await renewLeaseUnscoped(tx)
      const own = await testFiltersMetered(
        test,
        slice.map(({ part }) => part),
      )
      for (const [position, { index }] of slice.entries()) verdicts[index]?.push(...(own[position] ?? []))
    }
    return verdicts
  }

interface Part {
  /** The index of its case. */
  index: number
  part: FilterCase
}

const slicesOf = (cases: readonly FilterCase[]): Part[][] => {
  const slices: Part[][] = []
  let room = 0
  for (const [index, { event, filters, scopeIds }] of cases.entries()) {
    for (let start = 0; start < filters.length; ) {
      if (room === 0) {
        slices.push([])
        room = maxSlice
      }
      const part = filters.slice(start, start + room)
      slices.at(-1)?.push({ index, part: { event, filters: part, scopeIds: scopeIds.slice(start, start + room) } })
      start += part.length
      room -= part.length
    }
  }
  return slices
}
