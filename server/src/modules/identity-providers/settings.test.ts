/** An administrator sets a provider up: what is taken, what stays secret, and what a try says. */
import { describe, expect, it } from 'vitest'
import { ownProvidersScene, providersPath } from '#test/harness/own-providers.ts'

const { app, idps, company } = await ownProvidersScene()
const [one, two] = idps
const pathOf = ({ id }: { id: string }) => `${providersPath}/${id}`
const unused = { enabled: false }

describe('an identity provider of an organization', async () => {
  const acme = await company(one)

  it('is listed without its secret, which is sealed', async () => {
    const { body } = await acme.admin.get(providersPath)
    expect(body).toMatchObject({ total: 1, items: [{ ...acme.provider, oidc: { hasClientSecret: true } }] })
    expect(JSON.stringify(body)).not.toContain(one.clientSecret)
    expect(acme.provider).toMatchObject({
      redirectUri: `http://chancery.test/sso/oidc/${acme.provider.id}/callback`,
      loginUrl: `/sso/oidc/${acme.provider.id}/start`,
    })
    const row = await app.db.selectFrom('identityProviders').selectAll().where('id', '=', acme.provider.id).execute()
    expect(row[0]?.sealedSecret).toMatch(/^v1\./)
  })

  it('keeps its secret only for the same issuer and client', async () => {
    const { hasClientSecret: _has, ...oidc } = acme.provider.oidc
    const same = await acme.admin.patch(pathOf(acme.provider), { oidc: { ...oidc, emailClaim: 'mail' } })
    expect(same.body.oidc).toMatchObject({ hasClientSecret: true, emailClaim: 'mail' })
    for (const change of [{ issuer: two.issuer }, { clientId: 'another' }]) {
      const moved = await acme.admin.patch(pathOf(acme.provider), { oidc: { ...oidc, ...change } })
      expect(moved).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'oidc', 'clientSecret'] }] } })
    }
  })

  it.each([
    ['a domain that is not verified', { domains: ['elsewhere.test'] }],
    ['an issuer without https', { oidc: { issuer: 'http://idp.example', clientId: 'x' } }],
    ['an issuer with a query', { oidc: { issuer: 'https://idp.example?x', clientId: 'x' } }],
    ['a group of nobody', { mapping: { groupsClaim: 'g', groups: [{ value: 'x', groupId: app.unknownId() }] } }],
  ])('is refused with %s', async (_name, change) => {
    expect((await acme.admin.post(providersPath, { ...acme.body, ...unused, ...change })).status).toBe(422)
  })

  it('is alone with a domain while it is enabled', async () => {
    const second = await acme.admin.post(providersPath, { ...acme.body, ...unused, name: 'Second' })
    expect(second.status).toBe(201)
    const taken = { status: 409, body: { code: 'provider_domain_taken' } }
    expect(await acme.admin.patch(pathOf(second.body), { enabled: true })).toMatchObject(taken)
    expect((await acme.admin.patch(pathOf(acme.provider), { enabled: false })).status).toBe(200)
    expect((await acme.admin.patch(pathOf(second.body), { enabled: true })).status).toBe(200)
    expect((await acme.admin.delete(pathOf(second.body))).status).toBe(204)
  })

  it('asks for a fresh proof of who changes it', async () => {
    const { admin, provider, body } = await company(two)
    app.clock.forward({ minutes: 6 })
    const refused = { status: 403, body: { code: 'fresh_proof_required' } }
    expect(await admin.post(providersPath, { ...body, ...unused })).toMatchObject(refused)
    expect(await admin.patch(pathOf(provider), { enabled: false })).toMatchObject(refused)
    expect(await admin.delete(pathOf(provider))).toMatchObject(refused)
  })
})

describe('a try of a provider', () => {
  it('shows step by step what it says of itself', async () => {
    const { admin, provider } = await company(one)
    const { body } = await admin.post(`${pathOf(provider)}/test`)
    expect(body).toMatchObject({ ok: true, metadata: { issuer: one.issuer, keyAlgorithms: ['RS256'] } })
    expect(body.steps.map(({ step, ok }: { step: string; ok: boolean }) => [step, ok])).toEqual([
      ['discovery', true],
      ['endpoints', true],
      ['keys', true],
    ])
  })

  it('says why it failed, and nothing of what is behind a private address', async () => {
    const { admin, provider, body } = await company(one)
    const test = async (issuer: string) => {
      const oidc = { ...body.oidc, issuer }
      expect((await admin.patch(pathOf(provider), { oidc })).status).toBe(200)
      return (await admin.post(`${pathOf(provider)}/test`)).body
    }
    const away = await test(`${one.origin}/nothing`)
    expect(away).toMatchObject({ ok: false, metadata: null, steps: [{ step: 'discovery', ok: false }] })
    const inside = await test('https://10.0.0.1/realms/x')
    expect(inside).toMatchObject({ ok: false, steps: [{ step: 'discovery', ok: false }] })
    expect(inside.steps[0].detail).not.toContain('10.0.0.1')
    const other = await test(`${one.issuer}/`)
    expect(other).toMatchObject({ ok: false, steps: [{ step: 'discovery', ok: false }] })
  })
})
