/** MCP clients sign in, renew their access, and lose it. */
import { createHash } from 'node:crypto'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { bearer, createClient } from '#test/harness/client.ts'

const app = await testApp()

describe('an MCP client', () => {
  it('signs the official client in with OAuth: it registers, the person allows it, and it gets a key for /mcp alone', async () => {
    const ana = await app.user()
    // The address that the instance has for others, as the client would reach it.
    const { resource } = (await app.newcomer().get('/.well-known/oauth-protected-resource/mcp')).body
    const base = new URL(resource).origin
    expect((await app.newcomer().post('/mcp', {})).headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    )
    const reach = (address: string | URL, init?: RequestInit) => fetch(String(address).replace(base, app.url), init)
    const remembered: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string; page?: URL } = {}
    const redirectUrl = 'http://127.0.0.1:7777/callback'
    const authProvider: OAuthClientProvider = {
      redirectUrl,
      clientMetadata: { client_name: 'A desktop client', redirect_uris: [redirectUrl] },
      state: () => 'a state',
      clientInformation: () => remembered.client,
      saveClientInformation: (client) => void Object.assign(remembered, { client }),
      tokens: () => remembered.tokens,
      saveTokens: (tokens) => void Object.assign(remembered, { tokens }),
      saveCodeVerifier: (verifier) => void Object.assign(remembered, { verifier }),
      codeVerifier: () => remembered.verifier ?? '',
      redirectToAuthorization: (page) => void Object.assign(remembered, { page }),
    }
    const transport = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider, fetch: reach })
    const first = transport()
    await expect(new Client({ name: 'a client', version: '1' }).connect(first as never)).rejects.toThrow('Unauthorized')
    expect(remembered.page?.pathname).toBe('/account/connect')
    const asked = Object.fromEntries(remembered.page?.searchParams ?? [])
    const consent = '/api/v1/mcp/consent'
    expect((await ana.get(`${consent}${remembered.page?.search}`)).body).toEqual({
      client_name: 'A desktop client',
      return_to: '127.0.0.1:7777',
    })
    for (const wrong of [
      { redirect_uri: 'https://evil.test/' },
      { client_id: 'forged' },
      { resource: 'https://evil.test/' },
    ])
      expect(await ana.post(consent, { ...asked, ...wrong })).toMatchObject({
        status: 400,
        body: { code: 'mcp_client_invalid' },
      })
    const granted = new URL((await ana.post(consent, asked)).body.redirect_to)
    expect([granted.host, granted.searchParams.get('state')]).toEqual(['127.0.0.1:7777', 'a state'])
    await first.finishAuth(granted.searchParams.get('code') ?? '')

    const client = new Client({ name: 'a client', version: '1' })
    await client.connect(transport() as never)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_chats')
    await client.close()
    const key = createClient(app.url, bearer(remembered.tokens?.access_token ?? ''))
    expect(await key.get('/api/v1/chats')).toMatchObject({ status: 403 })
    expect((await ana.get('/api/v1/api-keys')).text).toContain('A desktop client (MCP)')

    const firstToken = remembered.tokens?.access_token
    app.clock.forward({ minutes: 61 })
    await client.connect(transport() as never)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_chats')
    await client.close()
    expect(remembered.tokens?.access_token).not.toBe(firstToken)
    expect((await ana.get('/api/v1/api-keys')).body).toMatchObject({ total: 1 })
  })

  it('gives access for an hour, renews it once for each refresh token, and cuts off one that is used again', async () => {
    const ana = await app.user()
    const post = app.newcomer().post
    const redirect_uri = 'myapp://signed-in'
    const { client_id } = (await post('/api/public/mcp/register', { redirect_uris: [redirect_uri] })).body
    const code_verifier = 'v'.repeat(43)
    const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const asked = { client_id, redirect_uri, response_type: 'code', code_challenge, code_challenge_method: 'S256' }
    const ask = async (form: Record<string, string>) => {
      const body = new URLSearchParams({ client_id, ...form })
      const reply = await fetch(`${app.url}/api/public/mcp/token`, { method: 'POST', body })
      return (await reply.json()) as Record<string, string>
    }
    const signIn = async () => {
      const { redirect_to } = (await ana.post('/api/v1/mcp/consent', asked)).body
      const code = new URL(redirect_to).searchParams.get('code') ?? ''
      return ask({ grant_type: 'authorization_code', code, redirect_uri, code_verifier })
    }
    const renew = (refresh_token = '', more = {}) => ask({ grant_type: 'refresh_token', refresh_token, ...more })
    const statusOf = async (token = '') => (await createClient(app.url, bearer(token)).get('/mcp')).status
    const refused = { error: 'invalid_grant' }

    const first = await signIn()
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 3600, refresh_token: expect.any(String) })
    expect(await statusOf(first.access_token)).toBe(405)
    app.clock.forward({ minutes: 61 })
    expect(await statusOf(first.access_token)).toBe(401)
    expect(await renew(first.refresh_token, { client_id: 'another' })).toMatchObject(refused)
    expect(await renew('unknown')).toMatchObject(refused)
    const second = await renew(first.refresh_token)
    expect(await statusOf(second.access_token)).toBe(405)
    expect((await ana.get('/api/v1/api-keys')).body).toMatchObject({ total: 1, items: [{ allowed_routes: ['/mcp'] }] })

    app.clock.forward({ minutes: 2 })
    expect(await renew(first.refresh_token)).toMatchObject(refused)
    expect(await statusOf(second.access_token)).toBe(401)
    expect(await renew(second.refresh_token)).toMatchObject(refused)

    const third = await signIn()
    const [{ id }] = (await ana.get('/api/v1/api-keys')).body.items
    expect((await ana.delete(`/api/v1/api-keys/${id}`)).status).toBe(204)
    expect(await renew(third.refresh_token)).toMatchObject(refused)
    const fourth = await signIn()
    app.clock.forward({ days: 31 })
    expect(await renew(fourth.refresh_token)).toMatchObject(refused)
  })

  it('refuses codes that are used, too old, stolen or another client’s, and addresses that run code', async () => {
    const ana = await app.user()
    const [post, token] = [app.newcomer().post, '/api/public/mcp/token']
    const redirect_uri = 'myapp://signed-in'
    const { client_id } = (await post('/api/public/mcp/register', { redirect_uris: [redirect_uri] })).body
    const verifier = 'v'.repeat(43)
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const asked = { client_id, redirect_uri, response_type: 'code', code_challenge, code_challenge_method: 'S256' }
    const newCode = async () =>
      new URL((await ana.post('/api/v1/mcp/consent', asked)).body.redirect_to).searchParams.get('code')
    const redeem = async (code: string | null, more = {}) => {
      const form = {
        grant_type: 'authorization_code',
        code: code ?? '',
        client_id,
        redirect_uri,
        code_verifier: verifier,
      }
      const body = new URLSearchParams({ ...form, ...more })
      const reply = await fetch(app.url + token, { method: 'POST', body })
      return [reply.status, ((await reply.json()) as { error?: string }).error]
    }
    const countKeys = async () => (await ana.get('/api/v1/api-keys')).body.total
    const code = await newCode()
    expect(await countKeys()).toBe(0)
    expect(await redeem(code)).toEqual([200, undefined])
    expect(await countKeys()).toBe(1)
    // Used twice, it may be stolen: its key is revoked.
    expect(await redeem(code)).toEqual([400, 'invalid_grant'])
    expect(await countKeys()).toBe(0)
    expect(await redeem(code)).toEqual([400, 'invalid_grant'])
    const raced = await newCode()
    const statuses = (await Promise.all([redeem(raced), redeem(raced)])).map(([status]) => status)
    expect([statuses.sort(), await countKeys()]).toEqual([[200, 400], 0])
    for (const wrong of [{ code_verifier: 'w'.repeat(43) }, { client_id: 'x' }, { redirect_uri: 'myapp://elsewhere' }])
      expect(await redeem(await newCode(), wrong)).toEqual([400, 'invalid_grant'])
    expect(await redeem(await newCode(), { grant_type: 'password' })).toEqual([400, 'unsupported_grant_type'])
    const signedOut = await newCode()
    await sql`update sessions set revoked_at = now() where principal_id = ${ana.id}`.execute(app.db)
    expect(await redeem(signedOut)).toEqual([400, 'invalid_grant'])
    await sql`update sessions set revoked_at = null where principal_id = ${ana.id}`.execute(app.db)
    const old = await newCode()
    app.clock.forward({ minutes: 11 })
    expect(await redeem(old)).toEqual([400, 'invalid_grant'])
    expect(await countKeys()).toBe(0)
    for (const bad of ['javascript:alert(1)', 'http://evil.test/', 'data:text/html,x', 'https://a.test/#x', 'nonsense'])
      expect(await post('/api/public/mcp/register', { redirect_uris: [bad] })).toMatchObject({
        status: 400,
        body: { error: 'invalid_redirect_uri' },
      })
  })
})
