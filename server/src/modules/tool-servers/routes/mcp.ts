/**
 * `/mcp`: Chancery as an MCP server over Streamable HTTP, for clients with one of our keys or tokens. It offers the tools
 * of this instance that the caller may use; those of other tool servers are not passed on. There are no sessions: every
 * request stands alone, so any node can answer it.
 */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { limitKey } from '#kernel/http/gate/rate-limit.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { ToolServersContext } from '../context.ts'
import { isOwnHost, isOwnOrigin } from '../own-server/own-address.ts'

const path = '/mcp'
const maxBodyBytes = 1024 * 1024
const limit = { per: 'actor', max: 600, windowSec: 60 } as const

/** RFC 9728, 5.1: clients without a key learn here where to sign in. */
const challengeOf = (base: string): string =>
  `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource${path}"`

const requireOwnAddress = ({ externalUrl }: Pick<Kernel, 'externalUrl'>, http: HttpCall): void => {
  const host = http.header('host')
  if (isOwnHost(host, externalUrl) && isOwnOrigin(http.header('origin'), host, externalUrl)) return
  throw new AppError('origin_not_allowed', {
    detail: 'Reach /mcp at the address of this server, and not from another page.',
  })
}

/** The request itself is counted already; each further message of a batch counts as one more. */
const countBatch = async ({ limits: store }: Pick<Kernel, 'limits'>, actor: Actor, bytes: Buffer): Promise<void> => {
  const further = messagesIn(bytes) - 1
  for (let index = 0; index < further; index += 1) {
    const { allowed, retryAfterSec } = await store.take(limitKey({ method: 'POST', path }, limit, actor.id), limit)
    if (!allowed) throw new AppError('too_many_requests', { retryAfterSec })
  }
}

const messagesIn = (bytes: Buffer): number => {
  try {
    const body = parseForeign(bytes.toString(), { tooLarge: 'body_too_large' })
    return Array.isArray(body) ? body.length : 1
  } catch (problem) {
    if (problem instanceof AppError) throw problem
    return 1
  }
}

export const mcpRoutes = ({ tools, kernel }: Pick<ToolServersContext, 'tools' | 'kernel'>): Route[] => [
  route({
    ...endpoints.sendMcp,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    challenge: challengeOf(kernel.externalUrl),
    summary: 'The Model Context Protocol over Streamable HTTP: the tools that the caller may use',
    accepts: 'bytes',
    maxBodyBytes,
    limits: [limit],
    handle: async ({ actor, http }) => {
      requireOwnAddress(kernel, http)
      await countBatch(kernel, actor, http.bytes)
      const { answerMcp } = await import('../own-server/answer-mcp.ts')
      return answerMcp(tools, actor, http)
    },
  }),
  route({
    ...endpoints.refuseMcpStream,
    access: 'signedIn',
    challenge: challengeOf(kernel.externalUrl),
    summary: 'Refused with 405: there is no stream besides the replies',
    handle: async ({ http }) => {
      requireOwnAddress(kernel, http)
      return { status: 405, headers: { allow: 'POST', 'content-type': 'application/json' }, body: '{}' }
    },
  }),
]
