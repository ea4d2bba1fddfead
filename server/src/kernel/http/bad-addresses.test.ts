/** Bad input in the address: queries, ids, lengths. */
import { describe, expect, it } from 'vitest'
import { goRound } from '#test/access/go-round.ts'
import { expectErrorBody } from '#test/access/leaks.ts'
import { bearer } from '#test/harness/client.ts'
import { password } from '#test/harness/people.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import type { Route } from './route.ts'

const app = await sharedApp()
const owner = await app.platformOwner()
const ana = await app.user({ org: 'bad addresses' })

// The app's clock may have been moved since the owner signed in.
await app.newcomer().post('/api/admin/auth/prove', { password }, bearer(owner.token))

const { token: scimToken } = (await ana.post('/api/org/scim-tokens', { name: 'Directory' })).body

const tokenFor = ({ access }: Route): string => {
  if (access === 'scimToken') return scimToken
  return access === 'platformOwner' ? owner.token : ana.token
}
const ask = (route: Route, path: string) =>
  rawRequest(app.url, { method: route.method, path, headers: bearer(tokenFor(route)) })

const fieldsOf = ({ query }: Route): object => (query as { shape?: object } | undefined)?.shape ?? {}
const lists = app.routes.filter((route) => 'page' in fieldsOf(route))
/** A plan is called what its platform calls it. */
const withId = app.routes.filter(({ path }) => path.includes('/:') && !path.includes('/:plan'))

/** A list of somebody's things is asked for somebody who is there. */
const pathOf = ({ path }: Route): string => path.replace(':id', ana.id)

const wrongQueries = [
  'page=0',
  'page=-1',
  'page=1.5',
  'page=abc',
  'page=1e99',
  'page=1&page=2',
  'page[]=1',
  'limit=0',
  'limit=201',
  'limit=99999999999999999999',
  'limit=',
  `search=${'x'.repeat(201)}`,
  'search=a&search=b',
  'offset=1',
  '__proto__=1',
  'constructor[prototype][x]=1',
]
const withNul = ['search=%00', 'search=a%00b', '%00=1']

describe.each(lists.map((route, index) => [pathOf(route), { route, index }] as const))('the list %s', (path, given) => {
  const { route, index } = given

  it('refuses what is no page, no limit and no search', async () => {
    for (const query of goRound(wrongQueries, index, 5)) {
      const reply = await ask(route, `${path}?${query}`)
      expect(reply.status, query).toBe(422)
      expectErrorBody(reply.text, 'validation_failed')
    }
  })

  it('stores and searches no NUL', async () => {
    for (const query of goRound(withNul, index, 1)) {
      const reply = await ask(route, `${path}?${query}`)
      expect([400, 422], query).toContain(reply.status)
      expectErrorBody(reply.text)
    }
  })

  it('reads a broken escape as text or refuses it, and never fails', async () => {
    for (const query of ['search=%', 'search=%zz', 'search=%ED%A0%80', 'search=%C0%AF', 'search=%FF'])
      expect([200, 400, 422]).toContain((await ask(route, `${path}?${query}`)).status)
  })

  it('stays calm on the last page there could be', async () => {
    const reply = await ask(route, `${path}?page=100000&limit=200`)
    // The id is a person's: other lists that belong to one thing don't find theirs.
    if (reply.status === 404 && route.path.includes(':id')) return
    expect(reply.status).toBe(200)
    const { items, members } = JSON.parse(reply.text)
    expect(items ?? members).toEqual([])
  })
})

const searchable = lists.filter((route) => 'search' in fieldsOf(route))

describe.each(searchable.map((route) => [pathOf(route), route] as const))('the search in %s', (path, route) => {
  it.each([
    "search='%3Bdrop%20table%20users--",
    'search=%25',
    'search=_',
    'search=%5C',
    'search=%F0%9F%A6%8A',
    'search=',
  ])('reads ?%s as text', async (query) => expect(await ask(route, `${path}?${query}`)).toMatchObject({ status: 200 }))
})

/**
 * Routes with another refusal, or where another comes first: hooks refuse everything alike, a blob or a form is no JSON, an address is
 * to be verified.
 */
const otherRefusals: Record<string, number[]> = {
  'POST /api/public/hooks/:token': [401],
  'POST /upstream/api/blobs/:digest': [415],
  'POST /api/signing/documents/:id/files': [415],
  'POST /api/signing/templates/:id/bulk': [415],
  'POST /api/signing/inbox/:recipientId/open': [403],
  // A browser is led back to the sign-in, which says why.
  'GET /sso/oidc/:id/start': [302],
  'GET /sso/oidc/:id/callback': [302],
}

const tricks = [
  'x',
  '0',
  '-1',
  'null',
  '%00',
  '%20',
  "'%3B--",
  '..%2f..',
  '%2e%2e',
  '{}',
  '[]',
  'x'.repeat(500),
  'x'.repeat(5000),
]

describe('an id', () => {
  const named = withId.map((route, index) => [`${route.method} ${route.path}`, { route, index }] as const)
  it.each(named)('that cannot be one is refused: %s', async (name, { route, index }) => {
    for (const id of goRound(tricks, index, 3)) {
      const isRead = route.method === 'GET' || route.method === 'DELETE'
      const reply = await rawRequest(app.url, {
        method: route.method,
        path: route.path.replace(/:\w+/, id),
        headers: { ...bearer(tokenFor(route)), 'content-type': 'application/json' },
        ...(isRead ? {} : { body: JSON.stringify({ active: true, status: 'ACTIVE' }) }),
      })
      expect([400, 404, 422, ...(otherRefusals[name] ?? [])], id).toContain(reply.status)
      if (reply.status === 302) expect(reply.headers.location).toMatch(/^\/sign-in\?/)
      else expectErrorBody(reply.text)
    }
  })
})

describe('an address', () => {
  it.each(['/%', '/%zz', '/api/auth/%E0%A4%A', '/api/v1/api-keys/%FF'])(
    'that cannot be decoded is 400: %s',
    async (path) => {
      const reply = await rawRequest(app.url, { path, headers: bearer(ana.token) })
      expect(reply.status).toBe(400)
      expectErrorBody(reply.text, 'invalid_request')
    },
  )

  it('of 20 kB is refused, and the server lives on', async () => {
    const reply = await rawRequest(app.url, { path: `/api/auth/${'x'.repeat(20_000)}` })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(await app.anonymous.get('/health')).toMatchObject({ status: 200 })
  })

  it('of a file outside the web folder gives no file', async () => {
    for (const path of ['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2f..%2fpackage.json', '/.env'])
      expect((await rawRequest(app.url, { path })).text).not.toContain('"workspaces"')
  })
})
