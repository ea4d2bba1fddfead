import { describe, expect, it } from 'vitest'
import { expectErrorBody } from '#test/access/leaks.ts'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { addressBucket } from './rate-limit.ts'

const app = await testApp()

/** Counted before the body is read, so an empty one costs nothing else. */
const setup = (to: TestApp, address?: string) =>
  to.anonymous.post('/api/admin/auth/setup', {}, address === undefined ? {} : { 'x-forwarded-for': address })
const limit = 100

const exhaust = async (to: TestApp, address: (index: number) => string) => {
  for (let sent = 0; sent < limit; sent += 1) expect((await setup(to, address(sent))).status).toBe(422)
}

describe('a limit per address', () => {
  it('answers 429 with Retry-After, and lets that address in again when the time has come', async () => {
    await exhaust(app, () => '198.51.100.1')
    const refused = await setup(app, '198.51.100.1')
    expect(refused.status).toBe(429)
    expectErrorBody(refused.text, 'too_many_requests')
    const waitSec = Number(refused.headers.get('retry-after'))
    expect(waitSec).toBeGreaterThanOrEqual(1)
    expect(waitSec).toBeLessThanOrEqual(900 / limit)

    expect((await setup(app, '198.51.100.2')).status).toBe(422)
    app.clock.forward({ ms: waitSec * 1000 })
    expect((await setup(app, '198.51.100.1')).status).toBe(422)
    expect((await setup(app, '198.51.100.1')).status).toBe(429)
  })

  it('counts each route for itself', async () => {
    await exhaust(app, () => '198.51.100.3')
    expect((await setup(app, '198.51.100.3')).status).toBe(429)
    const login = await app.anonymous.post('/api/admin/auth/login', {}, { 'x-forwarded-for': '198.51.100.3' })
    expect(login.status).toBe(422)
  })

  it('counts by the address the proxy saw, whatever the client wrote in front of it', async () => {
    await exhaust(app, (index) => `203.0.113.${index}, 198.51.100.4`)
    expect((await setup(app, '203.0.113.250, 198.51.100.4')).status).toBe(429)
  })

  it('believes no forwarded address without a trusted proxy', async () => {
    const direct = await testApp({ env: { TRUSTED_PROXIES: '' } })
    await exhaust(direct, (index) => `203.0.113.${index}`)
    expect((await setup(direct, '203.0.113.250')).status).toBe(429)
    await direct.stop()
  })

  it('counts an IPv6 network as one address', async () => {
    await exhaust(app, (index) => `2001:db8:1:2::${(index + 1).toString(16)}`)
    expect((await setup(app, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await setup(app, '2001:db8:1:3::1')).status).toBe(422)
  })
})

describe('a limit per caller', () => {
  it('follows the person over all their addresses and credentials, and no further', async () => {
    const [ana, bob] = [await app.user(), await app.user()]
    const { body } = await ana.post('/api/v1/api-keys', { name: 'second credential' })
    for (let sent = 0; sent < 30; sent += 1)
      expect((await app.newcomer().post('/api/auth/change-password', {}, bearer(ana.token))).status).toBe(422)
    const refused = await app.newcomer().post('/api/auth/change-password', {}, bearer(body.key))
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect((await bob.post('/api/auth/change-password', {})).status).toBe(422)
  })

  it('is not spent by strangers: requests without a credential are refused before counting', async () => {
    const ana = await app.user()
    for (let sent = 0; sent < 40; sent += 1)
      expect((await app.newcomer().post('/api/auth/change-password', {}, bearer('x'))).status).toBe(401)
    expect((await ana.post('/api/auth/change-password', {})).status).toBe(422)
  })
})

describe('the bucket of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, bucket) => expect(addressBucket(address)).toBe(bucket))

  it('keeps IPv4 clients apart on a socket that listens on both families', () => {
    expect(addressBucket('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(addressBucket('::FFFF:192.0.2.7')).toBe('192.0.2.7')
    expect(addressBucket('::ffff:192.0.2.7')).not.toBe(addressBucket('::ffff:192.0.2.8'))
  })
})
