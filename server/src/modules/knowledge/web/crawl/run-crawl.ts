/**
 * A crawl's work: page after page within its limits, one at a time. Each page is settled in the transaction that adds
 * it, so a crash repeats at most the page under way, and a cancelled crawl adds nothing more.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { defineJob } from '#kernel/jobs/jobs.ts'
import { asPrincipal, findUserByIdUnscoped } from '#modules/accounts/index.ts'
import type { FileRow } from '#modules/files/index.ts'
import { deleteUnheldPages } from '../../collections/change-files.ts'
import { lockWritable } from '../../collections/get-collection.ts'
import type { KnowledgeContext } from '../../context.ts'
import { addFileUnscoped, listPagesUnscoped, removeFilesUnscoped } from '../../queries/collections.ts'
import {
  addCrawlPagesUnscoped,
  type CrawlRow,
  endCrawlUnscoped,
  findCrawlUnscoped,
  findNextPageUnscoped,
  settlePageUnscoped,
} from '../../queries/crawls.ts'
import { type FetchedPage, fetchPage } from '../fetch-page.ts'
import { storePage } from '../process-web.ts'
import { allowedLinks, pathOf } from './links.ts'
import { createRobots, type RulesFor } from './load-robots.ts'

/** Between two pages, where the site doesn't ask for more. */
const usualDelayMs = 200
/** Then other crawls have their turn: a large site, or a slow one, takes hours. */
const pagesPerTurn = 10
/** Restarts of servers count as attempts too, and a crawl that has none left would run forever. */
const retryLimit = 1000

export const createCrawlJob = (context: () => KnowledgeContext, pageDelayMs = usualDelayMs) =>
  defineJob({
    name: 'knowledge.crawl',
    data: z.object({ crawlId: z.uuid() }),
    expireInSec: 6 * 3600,
    // A slow site takes minutes for a turn: other tenants' crawls go on beside it.
    concurrency: 4,
    perGroup: 1,
    retryLimit,
    handle: async ({ crawlId }, { signal, attempt }) => {
      const crawl = await findCrawlUnscoped(context().db, crawlId)
      if (crawl?.state === 'running') await runCrawl(context(), crawl, { signal, isRepeated: attempt > 1, pageDelayMs })
    },
  })

interface Attempt {
  signal: AbortSignal
  isRepeated: boolean
  pageDelayMs: number
}

const runCrawl = async (context: KnowledgeContext, crawl: CrawlRow, attempt: Attempt): Promise<void> => {
  const { db } = context
  const { signal, isRepeated, pageDelayMs } = attempt
  const rulesFor = createRobots(context, signal)
  const end = (error: string | null) =>
    endCrawlUnscoped(db, crawl.id, {
      state: error === null ? 'completed' : 'failed',
      error,
      endedAt: context.clock.now(),
    })
  for (let visited = 0; ; visited += 1) {
    signal.throwIfAborted()
    const page = await findNextPageUnscoped(db, crawl.id)
    if (!page) return void (await end(null))
    if (visited === pagesPerTurn) return void (await nextTurn(context, crawl))
    try {
      await visit(context, { crawl, rulesFor, signal, ...page })
    } catch (problem) {
      signal.throwIfAborted()
      if (problem instanceof AppError) return void (await end(problem.message))
      // Another attempt may help, but only one: the page may be what breaks us.
      if (!isRepeated) throw problem
      context.log.error({ err: problem, crawl: crawl.id }, 'A page could not be added to a collection.')
      if (page.depth === 0) return void (await end(ourFault))
      await settlePageUnscoped(db, crawl.id, { url: page.url, state: 'failed', reason: ourFault })
    }
    const { delayMs } = await rulesFor(page.url)
    await delay(Math.max(pageDelayMs, delayMs), undefined, { signal })
  }
}

/** Behind those that wait already. */
const nextTurn = async ({ db, jobs, queues }: KnowledgeContext, { id, userId }: CrawlRow): Promise<void> => {
  const user = await findUserByIdUnscoped(db, userId)
  await jobs.enqueue(db, queues.crawl, { crawlId: id }, { group: user ? scopeOf(user) : userId })
}

const ourFault = 'Something went wrong on our side. Try again.'

interface Visit {
  crawl: CrawlRow
  rulesFor: RulesFor
  signal: AbortSignal
  url: string
  depth: number
}

/** Throws an `AppError` where the whole crawl can't go on: the first page fails, or the person may no longer write. */
const visit = async (context: KnowledgeContext, request: Visit): Promise<void> => {
  const { crawl, url, depth, rulesFor, signal } = request
  const actor = await getCrawler(context.db, crawl)
  const settle = (state: 'skipped' | 'failed', reason: string) => {
    if (depth === 0) throw new AppError('page_not_readable', { detail: reason })
    return settlePageUnscoped(context.db, crawl.id, { url, state, reason })
  }
  const asked = await rulesFor(url)
  if (!asked.allows(pathOf(url))) return void (await settle('skipped', asked.refusal))
  const page = await fetched(context, { actor, url, signal })
  if (page instanceof AppError) return void (await settle('failed', page.message))
  // The start may redirect, from the bare domain to www: then its pages are there.
  if (depth > 0 && new URL(page.url).host !== new URL(url).host)
    return void (await settle('skipped', 'It leads to another site.'))
  const rules = await rulesFor(page.url)
  if (!rules.allows(pathOf(page.url)))
    return void (await settle('skipped', `It leads to another page. ${rules.refusal}`))
  const links = depth < crawl.maxDepth ? await allowedLinks(page, rules) : []
  const file = await storePage(context, actor, page)
  try {
    await context.failpoints.hit('crawl: page stored')
    await keep(context, { actor, request, links, page, file })
  } catch (problem) {
    await context.failpoints.hit('crawl: page not kept')
    await context.db.transaction().execute((tx) => context.files.deleteUnscoped(tx, [file.id]))
    if (!(problem instanceof CrawlEnded)) throw problem
  }
}

/** Thrown so that the transaction leaves the page provisional: the sweep then deletes it even after a crash. */
class CrawlEnded extends Error {}

const fetched = async (
  context: KnowledgeContext,
  request: { actor: Actor; url: string; signal: AbortSignal },
): Promise<FetchedPage | AppError> => {
  try {
    return await fetchPage(context, request)
  } catch (problem) {
    request.signal.throwIfAborted()
    if (problem instanceof AppError) return problem
    throw problem
  }
}

interface Kept {
  actor: Actor
  request: Visit
  links: readonly string[]
  page: FetchedPage
  file: FileRow
}

/** Replaces what the collection held under the same address. Throws `CrawlEnded` where the crawl has ended meanwhile. */
const keep = (
  context: KnowledgeContext,
  { actor, request: { crawl, url, depth }, links, page, file }: Kept,
): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const before = await listPagesUnscoped(tx, crawl.collectionId, page.url)
    await context.files.lockUnscoped(tx, before)
    await context.files.keepUnscoped(tx, file.id)
    await lockWritable(context, tx, { actor, id: crawl.collectionId })
    if (!(await settlePageUnscoped(tx, crawl.id, { url, state: 'added' }))) throw new CrawlEnded()
    const removed = await removeFilesUnscoped(tx, crawl.collectionId, before)
    await deleteUnheldPages(context, tx, { actor, removed })
    const member = { collectionId: crawl.collectionId, fileId: file.id, url: page.url }
    await addFileUnscoped(tx, { ...member, addedAt: context.clock.now() })
    await addCrawlPagesUnscoped(tx, crawl, { urls: links, depth: depth + 1 })
  })

/** On whose behalf the pages are stored. A deactivated person's crawl ends. */
const getCrawler = async (db: Db, crawl: CrawlRow): Promise<Actor> => {
  const user = await findUserByIdUnscoped(db, crawl.userId)
  if (user?.status !== 'ACTIVE') throw new AppError('forbidden')
  return {
    ...asPrincipal(user),
    credential: { kind: 'session', id: crawl.id, expiresAt: null, allowedRoutes: null },
  }
}
