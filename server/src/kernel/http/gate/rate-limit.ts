/** Counts a request against its route's limits. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Limits } from '../../limits/limits.ts'
import type { Caller } from '../access.ts'
import type { Route, RouteLimit } from '../route.ts'

/** An IPv4 client on a socket that listens on both families. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** One household or server is one address: IPv6 counts by its /64. */
export const addressBucket = (ip: string): string => {
  const v4 = mapped.exec(ip)?.[1]
  if (v4 !== undefined) return v4
  if (!ip.includes(':')) return ip
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const zeros = ip.includes('::') ? Array(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** For routes whose requests count more than once. */
export const limitKey = (
  { method, path }: Pick<Route, 'method' | 'path'>,
  { per, windowSec }: RouteLimit,
  who: string | undefined,
): string => `${method} ${path} ${per} ${windowSec} ${who}`

/** The same with the network around it, since one IPv6 customer may have a whole /48 of households. */
export const addressNetworks = (ip: string): string[] => {
  const household = addressBucket(ip)
  return household.endsWith('::/64') ? [household, `${household.split(':').slice(0, 3).join(':')}::/48`] : [household]
}

/** A network may ask for this many times as much as a household. */
const householdsPerNetwork = 16

export const countAgainstLimits = async (
  limits: Limits,
  route: Route,
  caller: { request: FastifyRequest; actor: Caller | undefined },
): Promise<void> => {
  for (const limit of route.limits ?? []) {
    const counted = limit.per === 'actor' ? [caller.actor?.id] : addressNetworks(caller.request.ip)
    for (const [at, who] of counted.entries()) {
      const max = at === 0 ? limit.max : limit.max * householdsPerNetwork
      const { allowed, retryAfterSec } = await limits.take(limitKey(route, limit, who), { ...limit, max })
      if (!allowed) throw new AppError('too_many_requests', { retryAfterSec })
    }
  }
}
