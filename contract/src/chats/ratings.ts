/** Ratings of replies: `/api/v1/chats/{id}/messages/{mid}/rating`, and the report `/api/v1/ratings`. */
import { z } from 'zod'
import { pageOf, paging, sortBy } from '../lists.ts'

const verdict = z.enum(['good', 'bad'])

/** The message carries it as `annotation: {rating, reason}`, with 1 for good and -1 for bad. */
export const RatingBody = z.strictObject({ rating: verdict, reason: z.string().trim().max(2000).default('') })

export const RatingRow = z.object({
  chat_id: z.uuid(),
  message_id: z.string(),
  user_name: z.string(),
  model: z.string(),
  rating: verdict,
  reason: z.string(),
  rated_at: z.int(),
  /** Null unless the author shared the chat. */
  share_id: z.uuid().nullable(),
})
export type RatingRow = z.infer<typeof RatingRow>

export const RatingList = pageOf(RatingRow).extend({
  /** Over everything that matches, most rated first. */
  models: z.array(z.object({ model: z.string(), good: z.int(), bad: z.int() })),
})
export type RatingList = z.infer<typeof RatingList>

/** `format=csv` answers all of them as a file, in the same order. */
export const RatingQuery = z.strictObject({
  ...paging(50),
  rating: verdict.optional(),
  model: z.string().max(300).optional(),
  sort: sortBy('time', 'person', 'model', 'rating'),
  format: z.enum(['json', 'csv']).default('json'),
})
export type RatingQuery = z.infer<typeof RatingQuery>
