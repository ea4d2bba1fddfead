/** Which account a login at a provider may open (A19): decided only by what the provider has verified. */
import { beforeEach, describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { startOauthApp, startProvider } from '#test/harness/oauth.ts'
import { password } from '#test/harness/people.ts'

const idp = await startProvider()
const app = await startOauthApp(idp)
beforeEach(() => idp.reset())

const start = '/oauth/oidc/login'

/** Signs in at the provider; answers where that ended, and as whom. */
const signInAs = async (login: string, on = app) => {
  const browser = on.newBrowser()
  const back = await browser.signInUntilCallback(start, login)
  const location = (await browser.ask(back)).headers.get('location')
  const me = await browser.me()
  return { location, id: me.id as string | undefined, me }
}
const refusal = (code: string) => ({ location: `/sign-in?problem=${code}`, id: undefined })
const identitiesOf = (userId: string) =>
  app.db.selectFrom('userIdentities').select(['issuer', 'subject']).where('userId', '=', userId).execute()

describe('a verified address of somebody who has an account', () => {
  it('opens that account, links it permanently, and notifies its owner', async () => {
    const ana = await app.user({ isProven: true })
    const { id: subject } = idp.add({ email: ana.email.toUpperCase() })
    expect(await signInAs(subject)).toMatchObject({ location: '/', id: ana.id })
    expect(await identitiesOf(ana.id)).toEqual([{ issuer: idp.issuer, subject }])
    expect((await app.letterTo(ana.email)).text).toContain('You can now also sign in with SSO.')
    const login = await app.newcomer().post('/api/auth/login', { email: ana.email, password })
    expect(login.status).toBe(200)
  })

  it('opens no account for the next owner of the address, who is another subject there', async () => {
    const ana = await app.user({ isProven: true })
    const own = idp.add({ email: ana.email })
    expect(await signInAs(own.id)).toMatchObject({ id: ana.id })
    const heir = idp.add({ email: 'heir@elsewhere.test' })
    idp.faults.idToken = (claims) => ({ ...claims, email: ana.email, email_verified: true })
    expect(await signInAs(heir.id)).toMatchObject(refusal('oauth_not_allowed'))
    expect(await identitiesOf(ana.id)).toEqual([{ issuer: idp.issuer, subject: own.id }])
    expect(await signInAs(own.id)).toMatchObject({ id: ana.id })
  })

  it('is linked to one person when two sign in with it at the same moment', async () => {
    const ana = await app.user({ isProven: true })
    const both = [idp.add({ email: 'one@elsewhere.test' }), idp.add({ email: 'two@elsewhere.test' })]
    idp.faults.idToken = (claims) => ({ ...claims, email: ana.email, email_verified: true })
    const results = await Promise.all(both.map(({ id }) => signInAs(id)))
    expect(results.filter(({ id }) => id === ana.id)).toHaveLength(1)
    expect(await identitiesOf(ana.id)).toHaveLength(1)
  })

  it('of an account that never proved it becomes a new account, and the unproven one is closed', async () => {
    const stranger = await app.user()
    const { key } = (await stranger.post('/api/v1/api-keys', { name: 'kept for later' })).body
    const { id } = idp.add({ email: stranger.email })
    const result = await signInAs(id)
    expect(result).toMatchObject({ location: '/' })
    expect(result.id).not.toBe(stranger.id)
    for (const token of [stranger.token, key])
      expect(await app.newcomer().get('/api/auth/me', bearer(token))).toMatchObject({ status: 401 })
  })

  it('opens the account of a member whose company signs in here', async () => {
    const boss = await app.user({ isProven: true, org: 'native company' })
    const { id } = idp.add({ email: boss.email })
    const result = await signInAs(id)
    expect(result.me).toMatchObject({ id: boss.id, organizationId: boss.organizationId, role: 'ROLE_ORG_ADMIN' })
  })

  it('does not open the account of somebody whose company signs in elsewhere, linked before or not', async () => {
    const [before, boss] = [
      await app.user({ isProven: true, org: 'sso company' }),
      await app.user({ isProven: true, org: 'sso company' }),
    ]
    const { id: linkedBefore } = idp.add({ email: before.email })
    expect(await signInAs(linkedBefore)).toMatchObject({ id: before.id })
    await app.db
      .updateTable('organizations')
      .set({ authProvider: 'SSO' })
      .where('id', '=', boss.organizationId ?? '')
      .execute()
    const { id } = idp.add({ email: boss.email })
    expect(await signInAs(id)).toMatchObject(refusal('oauth_not_allowed'))
    expect(await signInAs(linkedBefore)).toMatchObject(refusal('oauth_not_allowed'))
    expect(await identitiesOf(boss.id)).toEqual([])
  })

  it('does not open a deactivated account, linked before or not', async () => {
    const [linked, unlinked] = [await app.user({ isProven: true }), await app.user({ isProven: true })]
    const { id: first } = idp.add({ email: linked.email })
    await signInAs(first)
    const owner = await app.platformOwner()
    for (const { id } of [linked, unlinked]) await owner.patch(`/api/admin/users/${id}`, { status: 'DEACTIVATED' })
    expect(await signInAs(first)).toMatchObject(refusal('oauth_not_allowed'))
    const { id: second } = idp.add({ email: unlinked.email })
    expect(await signInAs(second)).toMatchObject(refusal('oauth_not_allowed'))
    expect(await identitiesOf(unlinked.id)).toEqual([])
  })

  it('never opens a platform admin’s', async () => {
    const owner = await app.platformOwner()
    const { id } = idp.add({ email: owner.email })
    const { me } = await signInAs(id)
    expect(me).toMatchObject({ role: 'ROLE_USER' })
    expect(me.id).not.toBe(owner.id)
  })
})

describe('an address that the provider has not verified', () => {
  it.each([[false], ['true'], ['false'], [1], [null], [undefined]])(
    'with email_verified %j signs nobody in',
    async (said) => {
      const ana = await app.user({ isProven: true })
      const { id } = idp.add({ email: ana.email })
      const { id: newcomer } = idp.add({ email: `new.${app.unknownId()}@example.test` })
      idp.faults.idToken = ({ email_verified: _said, ...claims }) =>
        said === undefined ? claims : { ...claims, email_verified: said }
      for (const subject of [id, newcomer])
        expect(await signInAs(subject)).toMatchObject(refusal('oauth_address_not_verified'))
      expect(await identitiesOf(ana.id)).toEqual([])
    },
  )

  it.each([['not an address'], [''], [['ana@example.test']], [{}], [7]])('and that is %j, is none', async (email) => {
    const { id } = idp.add({ email: `odd.${app.unknownId()}@example.test` })
    idp.faults.idToken = (claims) => ({ ...claims, email })
    expect(await signInAs(id)).toMatchObject(refusal('oauth_address_not_verified'))
  })
})

describe('somebody new', () => {
  it('gets no account while ENABLE_OAUTH_SIGNUP is off', async () => {
    const closed = await startOauthApp(idp, { env: { ENABLE_OAUTH_SIGNUP: '' }, databaseUrl: app.databaseUrl })
    const email = `late.${app.unknownId()}@example.test`
    const { id } = idp.add({ email })
    expect(await signInAs(id, closed)).toMatchObject(refusal('oauth_signup_off'))
    expect(await app.db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])

    const ana = await app.user({ isProven: true })
    const known = idp.add({ email: ana.email })
    expect(await signInAs(known.id, closed)).toMatchObject({ id: ana.id })
    await closed.stop()
  })

  it('gets none either with an address of a company that signs in elsewhere', async () => {
    const boss = await app.user({ isProven: true, org: 'company with a domain' })
    const organizationId = boss.organizationId ?? ''
    const domain = `${app.unknownId()}.example`
    await app.db
      .insertInto('organizationDomains')
      .values({ domain, organizationId, verifiedAt: new Date(), createdAt: new Date() })
      .execute()
    const first = idp.add({ email: `first@${domain}` })
    expect((await signInAs(first.id)).me).toMatchObject({ organizationId: null })
    await app.db.updateTable('organizations').set({ authProvider: 'SSO' }).where('id', '=', organizationId).execute()
    const second = idp.add({ email: `second@${domain.toUpperCase()}` })
    expect(await signInAs(second.id)).toMatchObject(refusal('oauth_not_allowed'))
  })

  it.each(['line\r\nSet-Cookie: x=1', '\u0000', '', ' '.repeat(9), 'x'.repeat(500)])(
    'whose name is %j is called by their address',
    async (name) => {
      const email = `named.${app.unknownId()}@example.test`
      const { id } = idp.add({ email })
      idp.faults.idToken = (claims) => ({ ...claims, name })
      expect((await signInAs(id)).me.name).toBe(email.split('@')[0])
    },
  )

  it('brings a picture that nobody fetches', async () => {
    const { id } = idp.add({ email: `pretty.${app.unknownId()}@example.test` })
    idp.faults.idToken = (claims) => ({ ...claims, picture: `${idp.origin}/picture.png` })
    await signInAs(id)
    expect(idp.requests.filter((request) => request.includes('picture'))).toEqual([])
  })

  it('has no password, and so none opens their account', async () => {
    const email = `only.oauth.${app.unknownId()}@example.test`
    const { id } = idp.add({ email })
    await signInAs(id)
    for (const guess of ['', 'null', password])
      expect(await app.newcomer().post('/api/auth/login', { email, password: guess })).toMatchObject({ status: 401 })
  })
})

describe('one subject of two providers', () => {
  it('is two people: an identity is issuer and subject together', async () => {
    const other = await startProvider('other')
    const subject = app.unknownId()
    const second = await startOauthApp(other, { databaseUrl: app.databaseUrl })
    idp.add({ id: subject, email: `one.${subject}@example.test` })
    other.add({ id: subject, email: `two.${subject}@example.test` })
    const [one, two] = [await signInAs(subject), await signInAs(subject, second)]
    expect([one.me.email, two.me.email]).toEqual([`one.${subject}@example.test`, `two.${subject}@example.test`])
    await second.stop()
  })
})
