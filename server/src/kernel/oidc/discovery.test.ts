import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '#kernel/log.ts'
import { createOutbound } from '#kernel/outbound/index.ts'
import { createTestClock } from '#test/harness/clock.ts'
import { startIdp } from '#test/peers/idp.ts'
import { createOidcClients } from './index.ts'

const idp = await startIdp()
const log = createLog('silent', { write: () => undefined })
const outbound = createOutbound({ allowedHosts: [], log })
const clock = createTestClock()
afterAll(() => Promise.all([idp.close(), outbound.close()]))
beforeEach(() => idp.reset())

const settings = { issuer: idp.issuer, clientId: idp.clientId, clientSecret: idp.clientSecret }
const create = (more: object = {}) => createOidcClients({ outbound, log, clock }).create({ ...settings, ...more })
const request = { redirectUri: 'http://chancery.test/x', scope: 'openid', state: 's', nonce: 'n', codeVerifier: 'v' }
const discoveries = () => idp.requests.filter((line) => line.includes('/.well-known/')).length

describe('discovery', () => {
  it('is asked for on first use, by all who come at once together, and again after ten minutes', async () => {
    const client = create()
    expect(discoveries()).toBe(0)
    await Promise.all([client.authorizationUrl(request), client.authorizationUrl(request)])
    await client.authorizationUrl(request)
    expect(discoveries()).toBe(1)
    clock.forward({ minutes: 11 })
    await client.authorizationUrl(request)
    expect(discoveries()).toBe(2)
  })

  it('keeps the last answer while the provider is away, and tries again', async () => {
    const client = create()
    await client.authorizationUrl(request)
    clock.forward({ minutes: 11 })
    idp.faults.isDown = true
    expect(await client.authorizationUrl(request)).toContain(idp.issuer)
    idp.faults.isDown = false
    await client.authorizationUrl(request)
    expect(discoveries()).toBe(2)
  })

  it('fails as unavailable while there is no answer, and works once there is', async () => {
    const client = create()
    idp.faults.isDown = true
    await expect(client.authorizationUrl(request)).rejects.toMatchObject({ reason: 'unavailable' })
    idp.faults.isDown = false
    expect(await client.authorizationUrl(request)).toContain(idp.issuer)
  })

  it('refuses a provider that calls itself otherwise', async () => {
    await expect(create({ issuer: `${idp.issuer}/` }).authorizationUrl(request)).rejects.toMatchObject({
      name: 'OidcError',
    })
  })

  it('takes the issuer from the document where only its address is configured', async () => {
    const discoveryUrl = `${idp.issuer}/.well-known/openid-configuration`
    expect(await create({ issuer: undefined, discoveryUrl }).authorizationUrl(request)).toContain(idp.issuer)
  })

  it('lets nothing that a caller adds replace what the flow itself says', async () => {
    const extra = { state: 'theirs', response_type: 'token', prompt: 'login' }
    const { searchParams } = new URL(await create().authorizationUrl({ ...request, extra }))
    expect(Object.fromEntries(searchParams)).toMatchObject({ state: 's', response_type: 'code', prompt: 'login' })
  })
})
