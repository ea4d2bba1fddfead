import { describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { claimsOf, forge, headerOf } from '#test/harness/forge.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const ana = await app.user()
const claims = claimsOf(ana.token)
const nowSec = () => Math.floor(app.clock.now().getTime() / 1000)

const statusWith = async (token: string) => (await app.newcomer().get('/api/auth/me', bearer(token))).status
const asCookie = async (value: string) =>
  (await app.newcomer().get('/api/auth/me', { cookie: `token=${encodeURIComponent(value)}` })).status

describe('a login token (A12)', () => {
  it('is accepted when it is exactly ours: the forger of these tests knows how', async () => {
    expect(await statusWith(forge({ claims }))).toBe(200)
    expect(forge({ claims, header: headerOf(ana.token) })).toBe(ana.token)
  })

  it.each([
    ['no end', { ...claims, exp: undefined }],
    ['an end as text', { ...claims, exp: String(claims.exp) }],
    ['an end that is null', { ...claims, exp: null }],
    ['an end that is an array', { ...claims, exp: [claims.exp] }],
    ['an end in the past', { ...claims, exp: nowSec() - 1 }],
    ['a beginning in the future', { ...claims, nbf: nowSec() + 600 }],
    ['an issuer', { ...claims, iss: 'https://elsewhere.test' }],
    ['our name as issuer', { ...claims, iss: 'chancery' }],
    ['an empty issuer', { ...claims, iss: '' }],
    ['no session', { ...claims, jti: undefined }],
    ['a session that never was', { ...claims, jti: app.unknownId() }],
    ['a session that is no id', { ...claims, jti: "' or 1=1--" }],
    ['a session that is an array', { ...claims, jti: [claims.jti] }],
    ['no subject', { ...claims, sub: undefined }],
    ['no time of issue', { ...claims, iat: undefined }],
  ])('is refused with %s, though signed right', async (_what, changed) => {
    expect(await statusWith(forge({ claims: changed }))).toBe(401)
  })

  it.each(['../../../../dev/null', '/dev/null', 'http://127.0.0.1/key', "' union select ''--", 'other'])(
    'does not fetch its key where kid says: %s',
    async (kid) => {
      expect(await statusWith(forge({ claims, header: { kid }, secret: '' }))).toBe(401)
      expect(await statusWith(forge({ claims, header: { kid, jku: kid, x5u: kid }, secret: kid }))).toBe(401)
    },
  )

  it('does not take its key from its own header', async () => {
    const k = Buffer.from('attacker').toString('base64url')
    const token = forge({ claims, header: { jwk: { kty: 'oct', k } }, secret: 'attacker' })
    expect(await statusWith(token)).toBe(401)
  })

  it('is refused with an extension that must be understood', async () => {
    expect(await statusWith(forge({ claims, header: { crit: ['b64'], b64: false } }))).toBe(401)
    expect(await statusWith(forge({ claims, header: { crit: ['x'], x: 1 } }))).toBe(401)
  })

  it('is refused with other claims under its signature', async () => {
    const [head, , signature] = ana.token.split('.')
    const changed = Buffer.from(JSON.stringify({ ...claims, role: 'ROLE_PLATFORM_OWNER' })).toString('base64url')
    expect(await statusWith(`${head}.${changed}.${signature}`)).toBe(401)
  })

  it('grants by the account and not by its own claims, even when signed right', async () => {
    const token = forge({ claims: { ...claims, role: 'ROLE_PLATFORM_OWNER', org: app.unknownId() } })
    expect(await app.newcomer().get('/api/admin/users', bearer(token))).toMatchObject({ status: 403 })
    const me = await app.newcomer().get('/api/auth/me', bearer(token))
    expect(me.body).toMatchObject({ role: 'ROLE_USER', organizationId: null })
  })

  it('speaks for nobody else, whatever its subject says', async () => {
    const bob = await app.user()
    const token = forge({ claims: { ...claims, sub: bob.id } })
    expect(await statusWith(token)).toBe(401)
  })

  it.each(['.', '=', '==', 'A', '.x', '%', '\u00a0'])('is refused with %j behind it', async (tail) => {
    expect(await asCookie(ana.token + tail)).toBe(401)
    if (tail !== '\u00a0') expect(await statusWith(ana.token + tail)).toBe(401)
  })

  it.each([' ', '\t', '\n', '\r\n'])('is refused with the blank %j inside or around it', async (blank) => {
    const cut = ana.token.length - 5
    expect(await asCookie(ana.token + blank)).toBe(401)
    expect(await asCookie(blank + ana.token)).toBe(401)
    expect(await asCookie(ana.token.slice(0, cut) + blank + ana.token.slice(cut))).toBe(401)
  })

  it('is refused when the unused bits of its last letter are set, or in the other base64', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(ana.token.at(-1) ?? '')
    for (const other of [1, 2, 3].map((bits) => alphabet[last ^ bits]))
      expect(await statusWith(ana.token.slice(0, -1) + other), `ending in ${other}`).toBe(401)
    const standard = ana.token.replaceAll('-', '+').replaceAll('_', '/')
    if (standard !== ana.token) expect(await statusWith(standard)).toBe(401)
  })

  it('of a person opens no admin door, and the other way round', async () => {
    const owner = await app.platformOwner()
    expect(await statusWith(owner.token)).toBe(401)
    expect(await app.newcomer().get('/api/admin/auth/me', bearer(ana.token))).toMatchObject({ status: 403 })
    expect(await owner.get('/api/admin/auth/me')).toMatchObject({ status: 200 })
  })
})

describe('what the server remembers about a token (A13)', () => {
  it('is bound to all of it: a known beginning is no identity', async () => {
    expect(await statusWith(ana.token)).toBe(200)
    const prefix = ana.token.slice(0, 200)
    const twins = [prefix, `${prefix}${'A'.repeat(ana.token.length - 200)}`, ana.token.slice(0, -1), `${ana.token}x`]
    for (const twin of twins) expect(await statusWith(twin)).toBe(401)
    expect(await statusWith(ana.token)).toBe(200)
  })

  it('never mixes two sessions up, however alike their tokens begin', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => app.user()))
    const asked = [...people, ...people].map(async (person) => {
      const { body } = await app.newcomer().get('/api/auth/me', bearer(person.token))
      expect(body.id).toBe(person.id)
    })
    await Promise.all(asked)
  })

  it('does not help a token that was signed before the secret changed', async () => {
    expect(await statusWith(forge({ claims, secret: `${testSecrets.JWT_SECRET}x` }))).toBe(401)
  })
})
