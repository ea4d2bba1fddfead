/** The filter of the ratings report, in the URL. */
import type { RatingSearch } from '#features/ratings/api.ts'
import { pageOf, sortOf } from './search-params.ts'

export const readRatingSearch = (search: Record<string, unknown>): RatingSearch => ({
  ...(search.rating === 'good' || search.rating === 'bad' ? { rating: search.rating } : {}),
  ...pageOf(search),
  ...sortOf(search, 'time', 'person', 'model', 'rating'),
})
