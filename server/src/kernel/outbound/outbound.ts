/**
 * Requests to other servers. Every address that a user, a model or a redirect can name goes through here.
 *
 * A call may go to public addresses, and to exact `host:port` pairs that an administrator named: for everyone with
 * OUTBOUND_ALLOWED_HOSTS, for one call with `trusted`. The two kinds never share a connection pool, so a connection that
 * was opened for a named host cannot be borrowed by a call that may not go there.
 */
import type { Log } from '../log.ts'
import { isPublicAddress } from './address-rules.ts'
import { fetchThrough, type OutboundRequest } from './fetch-through.ts'
import { createGuard, type Lookup, lookupBySystem } from './guard.ts'
import { createGuardedAgent } from './guarded-agent.ts'
import type { OutboundReply } from './reply.ts'
import { assertOrdinaryHost, blocked, parseExceptions, parseHost } from './target.ts'

export interface OutboundOptions {
  /** OUTBOUND_ALLOWED_HOSTS: exact `host:port` pairs that may be reached though they are not public. */
  allowedHosts: readonly string[]
  log: Log
  /** Tests bring their own resolver, and their own idea of which addresses are public. */
  lookup?: Lookup
  mayReach?: (address: string) => boolean
}

export interface ResolvedTarget {
  /** For TLS server names and messages. */
  hostname: string
  port: number
  /** Connect to this, not to the name: the name may lead elsewhere by then. */
  address: string
}

interface ResolveOptions {
  /** The ports on which the protocol may be spoken to a public host. */
  ports: readonly number[]
  trusted?: string | undefined
}

export interface Outbound {
  /** Throws an `AppError` (`outbound_*`), or the signal's reason when the caller aborted. */
  fetch(address: string, request?: OutboundRequest): Promise<OutboundReply>
  /** The same guard for protocols other than HTTP. */
  resolveTarget(host: string, port: number, options: ResolveOptions): Promise<ResolvedTarget>
  /** Cuts every connection. */
  close(): Promise<void>
}

export const createOutbound = (options: OutboundOptions): Outbound => {
  const { allowedHosts, log, lookup = lookupBySystem, mayReach = isPublicAddress } = options
  const exceptions = parseExceptions(allowedHosts)
  const guard = createGuard({ lookup, mayReach, log })
  const agentsWith = (tls?: { rejectUnauthorized: boolean }) => ({
    toPublic: createGuardedAgent(guard.resolvePublic, tls),
    toNamed: createGuardedAgent(guard.resolveNamed, tls),
  })
  const verified = agentsWith()
  /** For calls whose certificates are not checked. A connection that was opened without a check serves no other call. */
  const unverified = agentsWith({ rejectUnauthorized: false })

  return {
    fetch: (address, request = {}) =>
      fetchThrough(address, request, {
        isNamed: (hostPort) => hostPort === request.trusted || exceptions.has(hostPort),
        agentFor: ({ isException }) => {
          const agents = request.verifyTls === false ? unverified : verified
          return isException ? agents.toNamed : agents.toPublic
        },
      }),

    async resolveTarget(host, port, { ports, trusted }) {
      const hostname = parseHost(host)
      const hostPort = `${hostname}:${port}`
      const isException = hostPort === trusted || exceptions.has(hostPort)
      if (!isException) assertOrdinaryHost(hostname)
      if (!isException && !ports.includes(port)) throw blocked('This port may not be reached from here.')
      const bare = hostname.replace(/^\[|\]$/g, '')
      const [address = ''] = await (isException ? guard.resolveNamed(bare) : guard.resolvePublic(bare))
      return { hostname: bare, port, address }
    },

    async close() {
      const agents = [verified, unverified].flatMap(({ toPublic, toNamed }) => [toPublic, toNamed])
      await Promise.all(agents.map((agent) => agent.destroy()))
    },
  }
}
