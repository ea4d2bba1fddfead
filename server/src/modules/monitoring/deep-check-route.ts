/** The deep check as monitors read it: 200 when the model answered, the failure's own status when it did not. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { errorBody } from '#kernel/http/replies/error-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Completions } from '#modules/completions/index.ts'
import { deepCheck } from './deep-check.ts'

export const deepCheckRoute = (completions: Pick<Completions, 'complete'>): Route =>
  route({
    ...endpoints.checkDeeply,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Whether a model answers a real question, and how fast',
    limits: [{ per: 'actor', max: 30, windowSec: 60 }],
    handle: async ({ actor, body, http }) => {
      const { report, failure } = await deepCheck(completions, actor, { model: body.model, signal: http.signal })
      return {
        status: failure?.status ?? 200,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
        body: JSON.stringify(failure ? { ...report, ...errorBody(failure, http.requestId) } : report),
      }
    },
  })
