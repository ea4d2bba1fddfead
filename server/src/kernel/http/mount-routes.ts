/** Hangs declared routes into Fastify: gate and limits before the body, validation after it, then the handler. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../ids.ts'
import type { Limits } from '../limits/limits.ts'
import type { Actor } from './actor.ts'
import { tokenCookie } from './credential.ts'
import type { Gate } from './gate.ts'
import { countAgainstLimits } from './rate-limit.ts'
import type { HttpCall, Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
}

export interface MountOptions {
  gate: Gate
  limits: Limits
  config: Config
}

const nilId = '00000000-0000-0000-0000-000000000000'

/** An id that is no UUID names nothing we have. Read as the id that nothing has, it misses like any unknown one. */
const withReadableIds = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, /(^id|Id)$/.test(name) && !isUuid(value) ? nilId : value]),
  )

/** The only character that an address can carry and PostgreSQL cannot store. */
const refuseNul = (url: string): void => {
  if (url.includes('%00')) throw new AppError('invalid_text', { detail: 'The address holds a NUL character.' })
}

const httpCall = (request: FastifyRequest, reply: FastifyReply, config: Config): HttpCall => ({
  requestId: request.id,
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 400) ?? null,
  get signal() {
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    return gone.signal
  },
  setTokenCookie: (token, { expiresAt }) => {
    reply.setCookie(tokenCookie, token, { ...cookieFlags(config), ...(expiresAt ? { expires: expiresAt } : {}) })
  },
  clearTokenCookie: () => {
    reply.clearCookie(tokenCookie, cookieFlags(config))
  },
})

const cookieFlags = (config: Config) => ({
  path: '/',
  httpOnly: true,
  secure: config.SVC_AUTH_COOKIE_SECURE,
  sameSite: config.SVC_AUTH_COOKIE_SAME_SITE,
})

export const mountRoutes = (server: FastifyInstance, routes: readonly Route[], options: MountOptions): void => {
  server.decorateRequest('actor', undefined)
  for (const route of routes) mountRoute(server, route, options)
}

const mountRoute = (server: FastifyInstance, route: Route, { gate, limits, config }: MountOptions): void => {
  const status = route.status ?? (route.reply ? 200 : 204)
  const hasLimits = route.limits !== undefined && route.limits.length > 0
  server.route({
    method: route.method,
    url: route.path,
    schema: {
      summary: route.summary,
      ...(route.body ? { body: route.body } : {}),
      ...(route.query ? { querystring: route.query } : {}),
      ...(route.reply ? { response: { [status]: route.reply } } : {}),
    },
    onRequest: async (request) => {
      request.actor = await gate.admit(request, route.access)
      if (hasLimits) await countAgainstLimits(limits, route, { request, actor: request.actor })
    },
    handler: async (request, reply) => {
      const params = withReadableIds(request.params as Record<string, string>)
      refuseNul(request.url)
      const call = { actor: request.actor, params, query: request.query, body: request.body }
      const result = await route.handle({ ...call, http: httpCall(request, reply, config) })
      reply.code(status)
      return route.reply ? result : reply.send()
    },
  })
}
