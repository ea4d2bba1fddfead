import { describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import type { Person } from '#test/harness/people.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const boss = await app.user({ org: 'rights' })
const nowSec = () => Math.floor(app.clock.now().getTime() / 1000)

const make = (by: Pick<Person, 'post'>, body: object, headers = {}) =>
  by.post('/api/v1/api-keys', { name: 'k', ...body }, headers)
const keyFor = async (...allowed_routes: string[]): Promise<string> => (await make(boss, { allowed_routes })).body.key

const held = await keyFor('/api/org')
const carriers: [string, Record<string, string>][] = [
  ['Bearer', bearer(held)],
  ['the key header', { 'x-api-key': held }],
  ['the cookie', { cookie: `token=${held}`, 'sec-fetch-site': 'same-origin' }],
]
const notAllowed = { status: 403, code: 'key_route_not_allowed' }
const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
  const { status, text } = await rawRequest(app.url, { path, method, headers })
  return { status, code: text === '' ? undefined : JSON.parse(text).code }
}

describe.each(carriers)('a key held to /api/org, sent as %s (A08)', (_carrier, headers) => {
  it('opens what it is for', async () => {
    for (const path of ['/api/org/me', '/api/org/me?x=1', '/%61pi/org/me'])
      expect(await ask(path, headers), path).toMatchObject({ status: 200 })
  })

  it.each([
    '/api/v1/api-keys',
    '/api/v1/api-keys/',
    '/api/auth/me',
    '/api/org/../v1/api-keys',
    '/api/org/%2e%2e/v1/api-keys',
    '/api/org/%2E./v1/api-keys',
    '/api/org/..%2fv1/api-keys',
    '/api/org/..%2Fv1%2Fapi-keys',
    '/api/org%2f..%2fv1/api-keys',
    '/api/org/%252e%252e/v1/api-keys',
    '/api//org/../v1/api-keys',
    '/api/org/..\\v1\\api-keys',
    '/api/v1/api-keys;/api/org',
    '/api/v1/api-keys?/api/org',
    '/api/v1/api-keys?path=/api/org',
    '/api/v1/api-keys#/api/org',
    '/api/v1/%61pi-keys',
    '/api/v1/api%2dkeys',
    '/API/V1/API-KEYS',
    '/Api/Org/Me',
    '//api/v1/api-keys',
    '/./api/v1/api-keys',
    '/api/organizations',
    '/api/org.json',
    '/api/v1/nothing',
    '/api/admin/users',
    'http://x/api/v1/api-keys',
    'http://../api/v1/api-keys',
  ])('does not open %s', async (path) => {
    expect(await ask(path, headers)).toEqual(notAllowed)
  })

  it.each(['/api/org/..;/v1/api-keys', '/api/org/me/', '/api/org/ME', '/api/org/me;x'])(
    'finds nothing at %s, which lies inside its prefix',
    async (path) => expect(await ask(path, headers)).toEqual({ status: 404, code: 'not_found' }),
  )

  it.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('does not open another method: %s', async (method) => {
    expect(await ask('/api/v1/api-keys', headers, method)).toMatchObject({ status: 403 })
  })

  it('is not told another address or method by a header', async () => {
    const overrides = {
      'x-http-method-override': 'DELETE',
      'x-original-url': '/api/v1/api-keys',
      'x-rewrite-url': '/api/v1/api-keys',
      'x-forwarded-prefix': '/api/org',
      'x-forwarded-uri': '/api/org',
    }
    const allowed = await rawRequest(app.url, { path: '/api/org/me', headers: { ...headers, ...overrides } })
    expect(JSON.parse(allowed.text)).toMatchObject({ id: boss.organizationId })
    expect(await ask('/api/v1/api-keys', { ...headers, ...overrides })).toEqual(notAllowed)
  })
})

describe('what a key may make (A09)', () => {
  const minting = ['/api/v1/api-keys', '/api/org/me']

  it('is a key for the same or fewer routes', async () => {
    const parent = bearer(await keyFor(...minting))
    for (const allowed_routes of [minting, ['/api/org/me'], ['/api/org/me/more'], ['/api/v1/api-keys/']])
      expect(await make(app.newcomer(), { allowed_routes }, parent)).toMatchObject({ status: 201 })
  })

  it.each([
    [undefined],
    [null],
    [['/']],
    [['/api']],
    [['/api/org']],
    [['/api/org/meow']],
    [['/API/org/me']],
    [['/api//org/me']],
    [['/api/org/me', '/api/admin']],
  ])('is no key for %j', async (allowed_routes) => {
    const parent = bearer(await keyFor(...minting))
    const reply = await make(app.newcomer(), { allowed_routes }, parent)
    expect(reply).toMatchObject({ status: 403, body: { code: 'key_exceeds_own_rights' } })
  })

  it('does not outlive its maker', async () => {
    const { key } = (await make(boss, { expires_at: nowSec() + 600 })).body
    for (const expires_at of [undefined, null, nowSec() + 700])
      expect(await make(app.newcomer(), { expires_at }, bearer(key))).toMatchObject({ status: 403 })
    expect(await make(app.newcomer(), { expires_at: nowSec() + 500 }, bearer(key))).toMatchObject({ status: 201 })
  })

  it('is nothing at all for a key that may not make keys', async () => {
    expect(await make(app.newcomer(), { allowed_routes: ['/api/org'] }, bearer(held))).toMatchObject({ status: 403 })
  })

  it('has no role but its owner’s', async () => {
    const { key } = (await make(await app.user(), {})).body
    expect(await app.newcomer().get('/api/admin/users', bearer(key))).toMatchObject({ status: 403 })
  })
})
