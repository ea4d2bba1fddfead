/** The report about ratings of replies. */

import { RatingList } from '@chancery/contract/chats/ratings.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { addressOf } from '#lib/http/call.ts'
import { withQuery } from '#lib/http/with-query.ts'

const path = '/api/v1/ratings'
export const pageLimit = 25

export interface RatingSearch {
  rating?: 'good' | 'bad'
  page?: number
  sort?: string
}

export const useRatings = (search: RatingSearch) =>
  useQuery({
    queryKey: ['ratings', search],
    queryFn: () => api.get(addressOf(endpoints.listRatings, { query: { ...search, limit: pageLimit } }), RatingList),
    placeholderData: keepPreviousData,
  })

export const exportUrl = ({ rating, sort }: RatingSearch) => withQuery(path, { rating, sort, format: 'csv' })
