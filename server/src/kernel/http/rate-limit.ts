/** Counts a request against its route's limits. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Limits } from '../limits/limits.ts'
import type { Caller } from './access.ts'
import type { Route } from './route.ts'

/** How an IPv4 client appears on a socket that listens on both families. */
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

export const countAgainstLimits = async (
  limits: Limits,
  route: Route,
  caller: { request: FastifyRequest; actor: Caller | undefined },
): Promise<void> => {
  for (const limit of route.limits ?? []) {
    const who = limit.per === 'actor' ? caller.actor?.id : addressBucket(caller.request.ip)
    const key = `${route.method} ${route.path} ${limit.per} ${limit.windowSec} ${who}`
    const { allowed, retryAfterSec } = await limits.take(key, { max: limit.max, windowSec: limit.windowSec })
    if (!allowed) throw new AppError('too_many_requests', { retryAfterSec })
  }
}
