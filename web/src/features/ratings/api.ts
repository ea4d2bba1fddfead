/** The report about ratings of replies. */

import { RatingList } from '@chancery/contract/chats/ratings.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const pageLimit = 25

export interface RatingSearch {
  rating?: 'good' | 'bad'
  page?: number
  sort?: string
}

export const useRatings = (search: RatingSearch) =>
  useQuery({
    queryKey: ['ratings', search],
    queryFn: () => call({ ...endpoints.listRatings, reply: RatingList }, { query: { ...search, limit: pageLimit } }),
    placeholderData: keepPreviousData,
  })

export const exportUrl = ({ rating, sort }: RatingSearch) =>
  addressOf(endpoints.listRatings, { query: { rating, sort, format: 'csv' } })
