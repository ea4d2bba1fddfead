/** Ratings of replies, and the report about them. */

import { can } from '@chancery/contract/abilities.ts'
import type { RatingList, RatingQuery } from '@chancery/contract/chats/ratings.ts'
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { csvOfPortions } from '#kernel/csv.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { jsonReply } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ChatsContext } from '../context.ts'
import { rateMessage, withdrawRating } from '../organizing/rate-message.ts'
import { presentRating } from '../present.ts'
import { listRatings, readRatings, sumRatings } from '../queries/ratings.ts'

const header = ['rated_at', 'user_name', 'model', 'rating', 'reason', 'share_url'] as const

export const ratingRoutes = (context: ChatsContext): Route[] => [
  route({
    ...endpoints.rateMessage,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Rate a reply, with a reason that administrators can read',
    handle: ({ actor, params, body }) => rateMessage(context, actor, { ref: params, rating: body }),
  }),
  route({
    ...endpoints.unrateMessage,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Withdraw a rating',
    handle: ({ actor, params }) => withdrawRating(context, actor, params),
  }),
  route({
    ...endpoints.listRatings,
    access: 'signedIn',
    summary: 'Ratings of replies, as JSON or CSV: the organization’s for its admins, all for platform admins',
    handle: async ({ actor, query }) => {
      requireReader(actor)
      return query.format === 'csv'
        ? exportRatings(context, actor, query)
        : jsonReply(await report(context, actor, query))
    },
  }),
]

const requireReader = (actor: Actor) => {
  if (!can(actor, 'read-ratings')) throw new AppError('forbidden')
}

const filterOf = ({ rating, model }: RatingQuery) => ({ isGood: rating && rating === 'good', model })

const report = async ({ db }: ChatsContext, actor: Actor, query: RatingQuery): Promise<RatingList> => {
  const filter = filterOf(query)
  const [{ items, total }, models] = await Promise.all([
    listRatings(db, actor, { page: query, filter, sort: query.sort }),
    sumRatings(db, actor, filter),
  ])
  return { items: items.map(presentRating), total, models }
}

const exportRatings = ({ db, externalUrl }: ChatsContext, actor: Actor, query: RatingQuery) =>
  csvOfPortions('ratings', {
    header,
    portions: readRatings(db, actor, { filter: filterOf(query), sort: query.sort }),
    rowOf: ({ ratedAt, userName, model, isGood, reason, shareId }) => ({
      rated_at: ratedAt.toISOString(),
      user_name: userName,
      model,
      rating: isGood ? 'good' : 'bad',
      reason,
      share_url: shareId && `${externalUrl}/shared/${shareId}`,
    }),
  })
