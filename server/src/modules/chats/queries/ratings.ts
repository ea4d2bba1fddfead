/** All SQL for `message_ratings`. */
import { can } from '@chancery/contract/abilities.ts'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, inOrder, type Page, readWhole, type SortColumns, type SortName } from '#kernel/db/paging.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { MessageRef } from '../interface.ts'
import type { MessageRatingsTable } from '../tables.ts'

export type RatingRow = MessageRatingsTable & { shareId: string | null }

export interface RatingFilter {
  isGood: boolean | undefined
  model: string | undefined
}

export const saveRatingUnscoped = (db: Db, rating: MessageRatingsTable) => {
  const { chatId: _chat, messageId: _message, ...change } = rating
  return db
    .insertInto('messageRatings')
    .values(rating)
    .onConflict((conflict) => conflict.columns(['chatId', 'messageId']).doUpdateSet(change))
    .execute()
}

export const deleteRatingUnscoped = (db: Db, { chatId, messageId }: MessageRef) =>
  db.deleteFrom('messageRatings').where('chatId', '=', chatId).where('messageId', '=', messageId).execute()

/** Those of the caller's organization; of all for a platform admin. The caller was checked to be one of the two. */
const visible = (db: Db, actor: Actor, { isGood, model }: RatingFilter) => {
  const inScope = can(actor, 'read-all-ratings')
    ? sql<SqlBool>`true`
    : sql<SqlBool>`message_ratings.organization_id = ${actor.organizationId}`
  let query = db.selectFrom('messageRatings').where(inScope)
  if (isGood !== undefined) query = query.where('isGood', '=', isGood)
  if (model !== undefined) query = query.where('model', '=', model)
  return query
}

const sortColumns: SortColumns<'time' | 'person' | 'model' | 'rating'> = {
  time: sql.ref('ratedAt'),
  person: sql`lower(user_name)`,
  model: sql.ref('model'),
  rating: sql.ref('isGood'),
}

interface Listing {
  filter: RatingFilter
  sort?: SortName<keyof typeof sortColumns> | undefined
}

const shareId = sql<string | null>`(select share_id from chats where chats.id = message_ratings.chat_id)`.as('shareId')

const newestFirst = '-time'

/** Newest first unless sorted. */
export const listRatings = (
  db: Db,
  actor: Actor,
  { page, filter, sort = newestFirst }: Listing & { page: Page },
): Promise<{ items: RatingRow[]; total: number }> =>
  fetchPage(db, visible(db, actor, filter), page, {
    select: (query) =>
      inOrder(query.selectAll().select(shareId), { sort, columns: sortColumns, tie: sql`(chat_id, message_id)` }),
  })

/** All of them, in portions. */
export const readRatings = (
  db: Db,
  actor: Actor,
  { filter, sort = newestFirst }: Listing,
): AsyncGenerator<RatingRow[], void> =>
  readWhole(visible(db, actor, filter), {
    select: (query) => query.selectAll().select(shareId),
    sort,
    columns: sortColumns,
    ties: [sql.ref('chatId'), sql.ref('messageId')],
  })

export const sumRatings = (
  db: Db,
  actor: Actor,
  filter: RatingFilter,
): Promise<{ model: string; good: number; bad: number }[]> =>
  visible(db, actor, filter)
    .select([
      'model',
      sql<number>`count(*) filter (where is_good)::int`.as('good'),
      sql<number>`count(*) filter (where not is_good)::int`.as('bad'),
    ])
    .groupBy('model')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('model')
    .limit(100)
    .execute()
