/** The search parameters of a usage page: dates, measure and breakdown. */
import { type RangeSearch, readRange } from '#features/usage/day-range.ts'
import { textOf } from './search-params.ts'

export interface UsageSearch extends RangeSearch {
  measure?: 'requests'
  by?: 'user' | 'key'
  /** The open limit. */
  limit?: string
}

export const readUsageSearch = (search: Record<string, unknown>): UsageSearch => ({
  ...readRange(search),
  ...(search.measure === 'requests' && { measure: 'requests' }),
  ...((search.by === 'user' || search.by === 'key') && { by: search.by }),
  ...textOf(search, 'limit'),
})
