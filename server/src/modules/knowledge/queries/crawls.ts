/** SQL for crawls and their pages. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { CrawlPagesTable, CrawlsTable } from '../tables.ts'

export type CrawlRow = Selectable<CrawlsTable>
export type CrawlPageState = Selectable<CrawlPagesTable>['state']

/** With its first page. False where another one runs in the same collection. */
export const insertCrawlUnscoped = async (tx: Db, crawl: CrawlRow): Promise<boolean> => {
  const inserted = await tx
    .insertInto('knowledgeCrawls')
    .values(crawl)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return false
  await addCrawlPagesUnscoped(tx, crawl, { urls: [crawl.url], depth: 0 })
  return true
}

export const findCrawlUnscoped = (db: Db, id: string): Promise<CrawlRow | undefined> =>
  db.selectFrom('knowledgeCrawls').selectAll().where('id', '=', id).executeTakeFirst()

const maxListed = 10

/** The latest. */
export const listCrawlsUnscoped = (db: Db, collectionId: string): Promise<CrawlRow[]> =>
  db
    .selectFrom('knowledgeCrawls')
    .selectAll()
    .where('collectionId', '=', collectionId)
    .orderBy('createdAt', 'desc')
    .limit(maxListed)
    .execute()

export const listRunningCrawls = (db: Db, actor: Pick<Actor, 'id'>): Promise<CrawlRow[]> =>
  db
    .selectFrom('knowledgeCrawls')
    .selectAll()
    .where('userId', '=', actor.id)
    .where('state', '=', 'running')
    .orderBy('createdAt')
    .limit(20)
    .execute()

/** Undefined when it had ended before. */
export const endCrawlUnscoped = (
  db: Db,
  id: string,
  end: { state: 'completed' | 'failed' | 'cancelled'; error: string | null; endedAt: Date },
): Promise<CrawlRow | undefined> =>
  db
    .updateTable('knowledgeCrawls')
    .set(end)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()

/** With the record of their pages. Returns how many there were. */
export const deleteEndedCrawlsUnscoped = async (db: Db, before: Date, limit: number): Promise<number> => {
  const ended = db
    .selectFrom('knowledgeCrawls')
    .select('id')
    .where('state', '!=', 'running')
    .where('endedAt', '<', before)
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('knowledgeCrawls').where('id', 'in', ended).executeTakeFirst()
  return Number(numDeletedRows)
}

/** As many as the crawl may still have; those it knows already are left out. */
export const addCrawlPagesUnscoped = async (
  tx: Db,
  { id, maxPages }: Pick<CrawlRow, 'id' | 'maxPages'>,
  { urls, depth }: { urls: readonly string[]; depth: number },
): Promise<void> => {
  await sql`
    insert into knowledge_crawl_pages (crawl_id, url, depth)
    select ${id}::uuid, url, ${depth}
    from unnest(${urls}::text[]) with ordinality as given (url, ordinal)
    where not exists (select from knowledge_crawl_pages known where known.crawl_id = ${id} and known.url = given.url)
    order by ordinal
    limit greatest(0, ${maxPages} - (select count(*) from knowledge_crawl_pages where crawl_id = ${id}))
    on conflict do nothing`.execute(tx)
}

/** The next one to visit; none once the crawl has ended. */
export const findNextPageUnscoped = (db: Db, crawlId: string): Promise<{ url: string; depth: number } | undefined> =>
  db
    .selectFrom('knowledgeCrawlPages as page')
    .innerJoin('knowledgeCrawls as crawl', 'crawl.id', 'page.crawlId')
    .select(['page.url', 'page.depth'])
    .where('page.crawlId', '=', crawlId)
    .where('page.state', '=', 'waiting')
    .where('crawl.state', '=', 'running')
    .orderBy('page.position')
    .limit(1)
    .executeTakeFirst()

/** False where the crawl has ended, or another worker has settled the page: then nothing of it may be kept. */
export const settlePageUnscoped = async (
  tx: Db,
  crawlId: string,
  { url, state, reason = null }: { url: string; state: CrawlPageState; reason?: string | null },
): Promise<boolean> => {
  const running = await tx
    .selectFrom('knowledgeCrawls')
    .select('id')
    .where('id', '=', crawlId)
    .where('state', '=', 'running')
    .forShare()
    .executeTakeFirst()
  if (!running) return false
  const settled = await tx
    .updateTable('knowledgeCrawlPages')
    .set({ state, reason })
    .where('crawlId', '=', crawlId)
    .where('url', '=', url)
    .where('state', '=', 'waiting')
    .returning('url')
    .executeTakeFirst()
  return settled !== undefined
}

export const countPagesUnscoped = async (
  db: Db,
  crawlIds: readonly string[],
): Promise<Map<string, Record<CrawlPageState, number>>> => {
  const { rows } = await sql<{ crawlId: string } & Record<CrawlPageState, number>>`
    select crawl_id, count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'added') as added,
      count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'failed') as failed
    from knowledge_crawl_pages where crawl_id = any(${crawlIds}::uuid[]) group by 1`.execute(db)
  return new Map(rows.map(({ crawlId, ...counts }) => [crawlId, counts]))
}

/** The first pages that were not added, with the reason. */
export const listProblemsUnscoped = (db: Db, crawlId: string, limit: number) =>
  db
    .selectFrom('knowledgeCrawlPages')
    .select(['url', 'reason'])
    .where('crawlId', '=', crawlId)
    .where('state', 'in', ['skipped', 'failed'])
    .orderBy('position')
    .limit(limit)
    .execute()
