/** `/metrics`, for the platform admin or a scraper that holds METRICS_TOKEN. */

import { can } from '@chancery/contract/abilities.ts'
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { createHeaderCheck } from '#kernel/crypto/tokens.ts'
import type { AccessKind } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Metrics } from '#kernel/metrics/index.ts'

declare module '#kernel/http/access.ts' {
  interface AccessKinds {
    /** The holder of the scrape token (no actor), or the platform admin. */
    scrape: Actor | undefined
  }
}

/** Without a configured token only the platform admin comes in. Another bearer is an account's, and is judged as such. */
export const scrapeAccess = (token: string | undefined): AccessKind<'scrape'> => {
  const isToken = token === undefined ? () => false : createHeaderCheck(`Bearer ${token}`)
  return {
    name: 'scrape',
    recognise: ({ headers: { authorization } }) =>
      authorization !== undefined && isToken(authorization) ? { caller: undefined, via: 'header' } : undefined,
    allows: (actor) => can(actor, 'read-metrics'),
  }
}

export const metricsRoute = (metrics: Metrics): Route =>
  route({
    ...endpoints.readMetrics,
    access: 'scrape',
    summary: 'What the servers of this machine count, for Prometheus',
    handle: async () => {
      const { contentType, text } = await metrics.write()
      return { headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body: text }
    },
  })
