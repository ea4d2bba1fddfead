import { describe, expect, it } from 'vitest'
import type { Actor } from '#kernel/http/actor.ts'
import { createTestClock } from '#test/harness/clock.ts'
import { createActorCache } from './actor-cache.ts'

const actor = (id: string): Actor => ({
  kind: 'user',
  id,
  name: 'Ana',
  email: `${id}@example.test`,
  role: 'ROLE_USER',
  organizationId: null,
  status: 'ACTIVE',
  loginOtp: false,
  createdAt: new Date(0),
  emailVerified: true,
  credential: { kind: 'session', id: `session of ${id}`, expiresAt: null, allowedRoutes: null },
})

const setUp = () => {
  const clock = createTestClock()
  return { clock, cache: createActorCache(clock) }
}

describe('the actor cache', () => {
  it('does not take back an actor whose lookup began before the principal was changed', () => {
    const { cache } = setUp()
    const readBeforeTheChange = actor('ana')
    cache.forget('ana')
    cache.remember('token', readBeforeTheChange)
    expect(cache.find('token')).toBeUndefined()
  })

  it('remembers the principal again when such a lookup must be over, and everybody else at once', () => {
    const { cache, clock } = setUp()
    cache.forget('ana')
    cache.remember('other', actor('bo'))
    expect(cache.find('other')?.id).toBe('bo')
    clock.forward({ ms: 5000 })
    cache.remember('token', actor('ana'))
    expect(cache.find('token')?.id).toBe('ana')
  })

  it('forgets everybody, also those who are being looked up', () => {
    const { cache, clock } = setUp()
    cache.remember('token', actor('ana'))
    cache.forget(undefined)
    expect(cache.find('token')).toBeUndefined()
    cache.remember('token', actor('ana'))
    expect(cache.find('token')).toBeUndefined()
    clock.forward({ ms: 2000 })
    cache.remember('token', actor('ana'))
    expect(cache.find('token')?.id).toBe('ana')
  })
})
