/** Every kind of credential that must open nothing. */
import type { TestApp } from '#test/harness/app.ts'
import { bearer } from '#test/harness/client.ts'
import { claimsOf, forge, unsigned } from '#test/harness/forge.ts'
import { password } from '#test/harness/people.ts'

export interface BadCredential {
  name: string
  headers: Record<string, string>
}

const keyOf = async (app: TestApp, token: string, body: object = {}): Promise<{ id: string; key: string }> =>
  (await app.newcomer().post('/api/v1/api-keys', { name: 'k', ...body }, bearer(token))).body

/** Tokens in the right form, with a live session behind them, that nobody of ours signed like this. */
const forgedTokens = (live: string): Record<string, string> => {
  const claims = claimsOf(live)
  const past = Math.floor(Date.now() / 1000) - 60
  return {
    'alg none': unsigned(claims),
    'alg NoNe': unsigned(claims, 'NoNe'),
    'HS256 with another secret': forge({ claims, secret: 'x'.repeat(64) }),
    'HS256 with an empty secret': forge({ claims, secret: '' }),
    'RS256 signed with the HMAC secret': forge({ claims, header: { alg: 'RS256' } }),
    'ES256 signed with the HMAC secret': forge({ claims, header: { alg: 'ES256' } }),
    'HS512 where HS256 is asked for': forge({ claims, header: { alg: 'HS512' }, hash: 'sha512' }),
    'an expired token': forge({ claims: { ...claims, exp: past } }),
    'a token without its signature': live.slice(0, live.lastIndexOf('.') + 1),
  }
}

export const badCredentials = async (app: TestApp): Promise<BadCredential[]> => {
  const [ana, bob, gone] = [await app.user(), await app.user(), await app.user()]
  const expiresAt = Math.floor(app.clock.now().getTime() / 1000) + 60
  const [revoked, expired, orphaned] = [
    await keyOf(app, ana.token),
    await keyOf(app, ana.token, { expires_at: expiresAt }),
    await keyOf(app, gone.token),
  ]
  await ana.delete(`/api/v1/api-keys/${revoked.id}`)
  await bob.post('/api/auth/logout')
  const outlived = await app.user()
  await app.db
    .updateTable('sessions')
    .set({ expiresAt: app.clock.now() })
    .where('principalId', '=', outlived.id)
    .execute()
  const owner = await app.platformOwner()
  await owner.patch(`/api/admin/users/${gone.id}`, { status: 'DEACTIVATED' })
  app.clock.forward({ minutes: 2 })

  const tokens = {
    ...forgedTokens(ana.token),
    'a revoked session': bob.token,
    'a session past its end': outlived.token,
    'the session of a deactivated user': gone.token,
    'a revoked key': revoked.key,
    'an expired key': expired.key,
    'the key of a deactivated user': orphaned.key,
    'a key nobody has': `sk-${'a'.repeat(43)}`,
    garbage: 'garbage',
  }
  return [
    { name: 'nothing', headers: {} },
    { name: 'an empty Bearer', headers: { authorization: 'Bearer ' } },
    { name: 'a bare Bearer', headers: { authorization: 'Bearer' } },
    { name: 'two tokens in one Bearer', headers: bearer(`${ana.token} ${ana.token}`) },
    { name: 'Basic only', headers: { authorization: `Basic ${btoa(`${ana.email}:${password}`)}` } },
    { name: 'a good token without its scheme', headers: { authorization: ana.token } },
    { name: 'a login token in the key header', headers: { 'x-api-key': ana.token } },
    { name: 'a bad Bearer beside a good cookie', headers: { ...bearer('garbage'), cookie: `token=${ana.token}` } },
    { name: 'a revoked session as cookie', headers: { cookie: `token=${bob.token}` } },
    { name: 'a revoked key in the key header', headers: { 'x-api-key': revoked.key } },
    ...Object.entries(tokens).map(([name, token]) => ({ name, headers: bearer(token) })),
  ]
}
