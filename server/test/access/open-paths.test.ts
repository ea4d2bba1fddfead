/** Contract, "Open paths": walks the route table, so that every new route is proven too. */
import { describe, expect, it } from 'vitest'
import type { Route } from '#kernel/http/route.ts'
import { testApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { rawRequest } from '#test/harness/raw.ts'
import { badCredentials } from './bad-credentials.ts'
import { goRound } from './go-round.ts'
import { expectErrorBody, expectNoLeak } from './leaks.ts'

const app = await testApp({ env: { SVC_EVENT_API_KEY: 'the key with which others publish' } })
const bad = await badCredentials(app)
const [ana, boss, owner] = [await app.user(), await app.user({ org: 'open paths' }), await app.platformOwner()]

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const address = (path: string): string => path.replace(/:\w+/g, () => app.unknownId())

const contentType = ({ accepts }: Route): string =>
  accepts === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'

const ask = (route: Route, headers: Record<string, string>) =>
  route.body
    ? app.newcomer().send(route.method, address(route.path), {
        body: '{}',
        headers: { 'content-type': contentType(route), ...headers },
      })
    : app.newcomer().send(route.method, address(route.path), { headers })

const isOpenPath = (path: string): boolean =>
  /^\/(api\/auth|api\/public)\//.test(path) ||
  /^\/health(\/|$)/.test(path) ||
  /^\/sso\/(config|idp|callback|backchannel-logout)$/.test(path) ||
  /^\/sso\/oidc\/:id\/(start|callback)$/.test(path) ||
  /^\/oauth\/:provider\/(login|callback)$/.test(path) ||
  // Standards for MCP clients look here (RFC 8414, RFC 9728).
  /^\/\.well-known\/oauth-(protected-resource(\/mcp)?|authorization-server)$/.test(path) ||
  /^\/api\/admin\/auth\/(setup|login|(verify|resend)-login-otp|(forgot|reset)-password|passkeys\/(sign-in(\/options)?|challenge-options))$/.test(
    path,
  ) ||
  path === '/ready'

const open = app.routes.filter(({ access }) => access === 'public')
const closed = app.routes.filter(({ access }) => access !== 'public')

describe('the route table', () => {
  it('is open only under the open paths of the contract', () => {
    expect(open.filter(({ path }) => !isOpenPath(path)).map(nameOf)).toEqual([])
  })

  it('keeps closed, under the open prefix, what speaks about the caller', () => {
    const own = ['/api/auth/me', '/api/auth/validate', '/api/auth/logout', '/api/auth/change-password']
    const sessions = ['/api/auth/sessions', '/api/auth/sessions/:id']
    for (const path of [...own, ...sessions]) {
      const routes = app.routes.filter((route) => route.path === path)
      expect(routes.length, path).toBeGreaterThan(0)
      expect(open.map(({ path }) => path)).not.toContain(path)
    }
  })

  it('names every address once', () => {
    const names = app.routes.map(nameOf)
    expect(names).toEqual([...new Set(names)])
  })
})

describe.each(closed.map((route, index) => [nameOf(route), { route, index }] as const))('%s', (_name, given) => {
  const { route, index } = given

  it('answers 401 without a credential and to a bad one', async () => {
    for (const { name, headers } of [{ name: 'no credential', headers: {} }, ...goRound(bad, index, 1)]) {
      const reply = await ask(route, headers)
      expect(reply.status, name).toBe(401)
      expectErrorBody(reply.text, 'not_authenticated')
    }
  })

  it('answers HEAD and a body that is no JSON with 401 too, before reading anything', async () => {
    if (route.method === 'GET') expect((await app.newcomer().send('HEAD', address(route.path))).status).toBe(401)
    else {
      const broken = await app.newcomer().send(route.method, address(route.path), { body: 'x'.repeat(200_000) })
      expect(broken.status).toBe(401)
    }
  })
})

describe('a good credential of the wrong kind', () => {
  const of = (...access: string[]) => closed.filter((route) => access.includes(route.access))

  it.each(of('platformOwner').map(nameOf))('of a person is forbidden at %s', async (name) => {
    const [route] = closed.filter((each) => nameOf(each) === name)
    for (const { token } of [ana, boss]) {
      const reply = await ask(route as Route, bearer(token))
      expect(reply.status).toBe(403)
      expectErrorBody(reply.text, 'forbidden')
    }
  })

  it.each(of('user', 'orgAdmin').map(nameOf))('of a platform admin is none at %s', async (name) => {
    const [route] = closed.filter((each) => nameOf(each) === name)
    const reply = await ask(route as Route, bearer(owner.token))
    expect(reply.status).toBe(401)
    expectErrorBody(reply.text, 'not_authenticated')
  })
})

describe('an open route', () => {
  const named = open.map((route, index) => [nameOf(route), { route, index }] as const)
  it.each(named)('%s does not ask who calls', async (_name, { route, index }) => {
    for (const { headers } of goRound(bad, index, 4)) {
      const reply = await ask(route, headers)
      // A webhook is asked for its own signature, and its refusal says so; an upload is asked for a form.
      const refusals = route.path.startsWith('/api/public/hooks/') ? [401] : [200, 302, 400, 404, 415, 422]
      expect(refusals).toContain(reply.status)
      if (reply.status === 401) expectErrorBody(reply.text, 'webhook_refused')
      expectNoLeak(reply.text)
    }
  })
})

describe('an address that does not exist', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    'tells strangers nothing: %s is 401 without and 404 with a credential',
    async (method) => {
      for (const path of ['/api/v1/nothing', '/api/admin/nothing', '/api', '/upstream/x', '/sso/x']) {
        const stranger = await rawRequest(app.url, { method, path })
        expect(stranger.status, path).toBe(401)
        const known = await rawRequest(app.url, { method, path, headers: bearer(ana.token) })
        expect(known.status, path).toBe(404)
        if (method !== 'HEAD') expectErrorBody(known.text, 'not_found')
      }
    },
  )

  it.each(bad)('is 401 to $name', async ({ headers }) => {
    expect((await app.newcomer().get('/api/v1/nothing', headers)).status).toBe(401)
  })

  it.each(['/api/auth/nothing', '/api/public/nothing', '/health/nothing', '/docs', '/docs/x', '/assets/nothing.js'])(
    'is 404 to anybody below an open prefix: %s',
    async (path) => {
      const reply = await app.newcomer().get(path)
      expect(reply.status).toBe(404)
      expectErrorBody(reply.text, 'not_found')
    },
  )

  it.each([
    '/API/v1/nothing',
    '//api/v1/nothing',
    '/x/../api/v1/nothing',
    '/%61pi/v1/nothing',
    '/api%2fv1%2fnothing',
    '/api\\v1\\nothing',
    '/./api/v1/nothing',
    '/api/auth/../v1/nothing',
    '/api/public/%2e%2e/v1/nothing',
  ])('is no page and no open path by another spelling: %s', async (path) => {
    const reply = await rawRequest(app.url, { path })
    expect(reply.status).toBe(401)
    expectErrorBody(reply.text, 'not_authenticated')
  })
})
