/** Starts and cancels crawls of a site into a collection, and shows how far they are. */
import type { Crawl, CrawlBody } from '@chancery/contract/files/knowledge.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { getCollection, lockWritable } from '../../collections/get-collection.ts'
import type { KnowledgeContext } from '../../context.ts'
import {
  type CrawlRow,
  countPagesUnscoped,
  endCrawlUnscoped,
  insertCrawlUnscoped,
  listCrawlsUnscoped,
  listProblemsUnscoped,
  listRunningCrawls,
} from '../../queries/crawls.ts'
import { pageAddress } from './links.ts'

export const startCrawl = async (
  context: KnowledgeContext,
  actor: Actor,
  { id, body }: { id: string; body: CrawlBody },
): Promise<Crawl> => {
  const { clock, db, ids, jobs, queues } = context
  const url = pageAddress(body.url)
  if (url === undefined) throw new AppError('outbound_blocked')
  // The pages become files of a person; platform admins have none.
  if (actor.kind !== 'user') throw new AppError('forbidden')
  const crawl: CrawlRow = {
    id: ids.next(),
    collectionId: id,
    userId: actor.id,
    url,
    maxDepth: body.depth,
    maxPages: body.max_pages,
    state: 'running',
    error: null,
    createdAt: clock.now(),
    endedAt: null,
  }
  await db.transaction().execute(async (tx) => {
    await lockWritable(context, tx, { actor, id })
    if (!(await insertCrawlUnscoped(tx, crawl))) throw new AppError('crawl_running')
    await jobs.enqueue(tx, queues.crawl, { crawlId: crawl.id }, { group: scopeOf(actor) })
  })
  return presentOne(context, crawl)
}

/** 404 where none is running. */
export const cancelCrawl = (context: KnowledgeContext, actor: Actor, id: string): Promise<Crawl> => {
  const { clock, db } = context
  return db.transaction().execute(async (tx) => {
    await lockWritable(context, tx, { actor, id })
    const [latest] = await listCrawlsUnscoped(tx, id)
    const end = { state: 'cancelled', error: null, endedAt: clock.now() } as const
    const crawl = latest && (await endCrawlUnscoped(tx, latest.id, end))
    if (!crawl) throw new AppError('not_found')
    return presentOne({ db: tx }, crawl)
  })
}

export const listCrawls = async (context: KnowledgeContext, actor: Actor, id: string): Promise<Crawl[]> => {
  await getCollection(context, context.db, { actor, id })
  return present(context, await listCrawlsUnscoped(context.db, id))
}

export const listOwnRunning = async (context: KnowledgeContext, actor: Actor): Promise<Crawl[]> =>
  present(context, await listRunningCrawls(context.db, actor))

const maxProblems = 20

const presentOne = async (context: Pick<KnowledgeContext, 'db'>, crawl: CrawlRow): Promise<Crawl> => {
  const [presented] = await present(context, [crawl])
  if (!presented) throw new AppError('not_found')
  return presented
}

const present = async ({ db }: Pick<KnowledgeContext, 'db'>, crawls: readonly CrawlRow[]): Promise<Crawl[]> => {
  const counts = await countPagesUnscoped(
    db,
    crawls.map(({ id }) => id),
  )
  return Promise.all(
    crawls.map(async (crawl) => ({
      id: crawl.id,
      collection_id: crawl.collectionId,
      url: crawl.url,
      depth: crawl.maxDepth,
      max_pages: crawl.maxPages,
      state: crawl.state,
      ...(crawl.error === null ? {} : { error: crawl.error }),
      pages: counts.get(crawl.id) ?? { waiting: 0, added: 0, skipped: 0, failed: 0 },
      problems: (await listProblemsUnscoped(db, crawl.id, maxProblems)).map(({ url, reason }) => ({
        url,
        reason: reason ?? '',
      })),
      created_at: unixSeconds(crawl.createdAt),
      ended_at: crawl.endedAt === null ? null : unixSeconds(crawl.endedAt),
    })),
  )
}
