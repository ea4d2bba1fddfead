/** Crawls of a site into a collection. */
import * as endpoints from '@chancery/contract/endpoints/knowledge.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { KnowledgeContext } from '../context.ts'
import { cancelCrawl, listCrawls, listOwnRunning, startCrawl } from '../web/crawl/start-crawl.ts'

export const crawlRoutes = (context: KnowledgeContext): Route[] => [
  route({
    ...endpoints.startCrawl,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add the pages of a site, following its links, in the background',
    limits: [{ per: 'actor', max: 60, windowSec: 3600 }],
    handle: ({ actor, params: { id }, body }) => startCrawl(context, actor, { id, body }),
  }),
  route({
    ...endpoints.listCrawls,
    access: 'signedIn',
    summary: 'The latest crawls of a collection, with their progress',
    handle: async ({ actor, params }) => ({ items: await listCrawls(context, actor, params.id) }),
  }),
  route({
    ...endpoints.cancelCrawl,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Stop the crawl that is running; pages that were added stay',
    handle: ({ actor, params }) => cancelCrawl(context, actor, params.id),
  }),
  route({
    ...endpoints.listOwnCrawls,
    access: 'signedIn',
    summary: "The caller's crawls that are running",
    handle: async ({ actor }) => ({ items: await listOwnRunning(context, actor) }),
  }),
]
