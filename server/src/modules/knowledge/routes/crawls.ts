/** Crawls of a site into a collection. */
import { Crawl, CrawlBody, CrawlList } from '@chancery/contract/knowledge.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { KnowledgeContext } from '../context.ts'
import { cancelCrawl, listCrawls, listOwnRunning, startCrawl } from '../web/crawl/start-crawl.ts'

const base = '/api/v1/knowledge/:id/crawls'

export const crawlRoutes = (context: KnowledgeContext): Route[] => [
  route({
    method: 'POST',
    path: base,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add the pages of a site, following its links, in the background',
    limits: [{ per: 'actor', max: 60, windowSec: 3600 }],
    body: CrawlBody,
    status: 202,
    reply: Crawl,
    handle: ({ actor, params: { id }, body }) => startCrawl(context, actor, { id, body }),
  }),
  route({
    method: 'GET',
    path: base,
    access: 'signedIn',
    summary: 'The latest crawls of a collection, with their progress',
    reply: CrawlList,
    handle: async ({ actor, params }) => ({ items: await listCrawls(context, actor, params.id) }),
  }),
  route({
    method: 'POST',
    path: `${base}/cancel`,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Stop the crawl that is running; pages that were added stay',
    reply: Crawl,
    handle: ({ actor, params }) => cancelCrawl(context, actor, params.id),
  }),
  route({
    method: 'GET',
    path: '/api/v1/retrieval/crawls',
    access: 'signedIn',
    summary: "The caller's crawls that are running",
    reply: CrawlList,
    handle: async ({ actor }) => ({ items: await listOwnRunning(context, actor) }),
  }),
]
