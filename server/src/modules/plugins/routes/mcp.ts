/**
 * `/mcp`: Chancery as an MCP server over Streamable HTTP, for clients with one of our keys or tokens. It offers the tools
 * of this instance that the caller may use; those of other tool servers are not passed on. There are no sessions: every
 * request stands alone, so any node can answer it.
 */
import { type Route, route } from '#kernel/http/route.ts'
import type { PluginsContext } from '../context.ts'

const path = '/mcp'
const maxBodyBytes = 1024 * 1024
const limits = [{ per: 'actor', max: 600, windowSec: 60 }] as const

/** RFC 9728, 5.1: clients without a key learn here where to sign in. */
const challengeOf = (base: string): string =>
  `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource${path}"`

export const mcpRoutes = ({ tools, kernel }: Pick<PluginsContext, 'tools' | 'kernel'>): Route[] => [
  route({
    method: 'POST',
    path,
    access: 'signedIn',
    challenge: challengeOf(kernel.externalUrl),
    summary: 'The Model Context Protocol over Streamable HTTP: the tools that the caller may use',
    accepts: 'bytes',
    maxBodyBytes,
    limits,
    reply: 'raw',
    handle: async ({ actor, http }) => {
      const { answerMcp } = await import('../answer-mcp.ts')
      return answerMcp(tools, actor, http)
    },
  }),
  route({
    method: 'GET',
    path,
    access: 'signedIn',
    challenge: challengeOf(kernel.externalUrl),
    summary: 'Refused with 405: there is no stream besides the replies',
    reply: 'raw',
    handle: async () => ({ status: 405, headers: { allow: 'POST', 'content-type': 'application/json' }, body: '{}' }),
  }),
]
