import { describe, expect, it } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { type Person, password } from '#test/harness/people.ts'
import { deleteFailuresBeforeUnscoped } from '../queries/login-failures.ts'

const app = await testApp()

const refused = { status: 401, body: { code: 'invalid_credentials' } }
const cookiesOf = (headers: Headers) => ({
  cookie: headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; '),
})
const signIn = (email: string, given: string, { on = app, headers = {}, path = '/api/auth/login' } = {}) =>
  on.newcomer().post(path, { email, password: given }, headers)

/** Leaves so many more failures until the account is closed to strangers. */
const closeBut = async (id: string, left: number) => {
  const rows = app.db.updateTable('loginFailures').where('principalId', '=', id)
  const { numUpdatedRows } = await rows.set({ failures: 100 - left }).executeTakeFirst()
  expect(numUpdatedRows).toBe(1n)
}
const attacked = async (left = 0): Promise<Person> => {
  const ana = await app.user()
  await signIn(ana.email, 'wrong')
  await closeBut(ana.id, left)
  return ana
}
const mailedCookies = async (email: string) => {
  const reply = await app.newcomer().get((await app.letterTo(email)).link())
  return { reply, headers: cookiesOf(reply.headers) }
}

describe('an account after a hundred failed sign-ins in a row', () => {
  it('lets no stranger in, not even with the right password, on two nodes, and its owner from a known browser', async () => {
    const second = await testApp({ databaseUrl: app.databaseUrl })
    const ana = await app.user()
    const known = cookiesOf((await signIn(ana.email, password)).headers)
    await signIn(ana.email, 'wrong')
    await closeBut(ana.id, 3)
    const guesses = [...Array(9).keys()].map((number) =>
      signIn(ana.email, `wrong ${number}`, { on: number % 2 ? app : second }),
    )
    expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(9).fill(401))
    const rows = await app.db.selectFrom('loginFailures').select('failures').where('principalId', '=', ana.id).execute()
    expect(rows).toEqual([{ failures: 100 }])
    for (const on of [app, second]) {
      expect(await signIn(ana.email, password, { on })).toMatchObject(refused)
      expect((await signIn(ana.email, password, { on, headers: known })).status).toBe(200)
    }
    await second.stop()
  })

  it('stays closed while time passes, and nightly', async () => {
    const ana = await attacked()
    app.clock.forward({ days: 3 })
    await deleteFailuresBeforeUnscoped(app.db, app.clock.now())
    expect(await signIn(ana.email, password)).toMatchObject(refused)
  })

  it('answers as an account does that never was', async () => {
    const ana = await attacked()
    const seen = ({ status, body, headers }: Awaited<ReturnType<typeof signIn>>) => ({
      status,
      body: { ...body, request_id: '' },
      headers: [...headers.keys()].sort(),
    })
    const unknown = await signIn('nobody.at.all@example.test', password)
    expect(seen(await signIn(ana.email, password))).toEqual(seen(unknown))
  })

  it('lets its owner in from a browser in which they signed in before', async () => {
    const ana = await app.user()
    const headers = cookiesOf((await signIn(ana.email, password)).headers)
    await signIn(ana.email, 'wrong')
    await closeBut(ana.id, 0)
    expect((await signIn(ana.email, password, { headers })).status).toBe(200)
    expect(await signIn(ana.email, password)).toMatchObject(refused)
  })

  it('takes no cookie of another account, of another kind, or that somebody made up', async () => {
    const [ana, eve] = [await attacked(), await app.user()]
    const own = cookiesOf((await signIn(eve.email, password)).headers).cookie
    const forged = own.replaceAll(eve.id, ana.id)
    const future = `known_${ana.id}=signIn.${Date.now() + 1e12}.x`
    for (const cookie of [own, forged, future, `known_${ana.id}=mail.1.`, `known_${ana.id}=`])
      expect(await signIn(ana.email, password, { headers: { cookie } })).toMatchObject(refused)
  })

  it('lets in no browser that is known by an earlier password, but the one in which it was changed', async () => {
    const ana = await app.user()
    const before = (await signIn(ana.email, password)).headers
    const chosen = 'quite another passphrase'
    const changed = await ana.post('/api/auth/change-password', { currentPassword: password, newPassword: chosen })
    await signIn(ana.email, 'wrong')
    await closeBut(ana.id, 0)
    expect(await signIn(ana.email, chosen, { headers: cookiesOf(before) })).toMatchObject(refused)
    expect((await signIn(ana.email, chosen, { headers: cookiesOf(changed.headers) })).status).toBe(200)
  })

  it('counts a known browser too, whose cookie somebody may have stolen', async () => {
    const ana = await app.user()
    const headers = cookiesOf((await signIn(ana.email, password)).headers)
    await signIn(ana.email, 'wrong', { headers })
    await closeBut(ana.id, 0)
    expect(await signIn(ana.email, password, { headers })).toMatchObject(refused)
    expect((await signIn(ana.email, password)).status).toBe(200)
  })

  it('mails its owner a link that makes a browser known, and a sign-in from there opens the account to all', async () => {
    const ana = await attacked()
    await signIn(ana.email, password)
    const { reply, headers } = await mailedCookies(ana.email)
    expect(reply.status).toBe(302)
    expect(reply.headers.get('location')).toBe('/sign-in')
    expect(await signIn(ana.email, 'wrong', { headers })).toMatchObject(refused)
    expect(await signIn(ana.email, password)).toMatchObject(refused)
    expect((await signIn(ana.email, password, { headers })).status).toBe(200)
    expect((await signIn(ana.email, password)).status).toBe(200)
    const again = await attacked()
    await signIn(again.email, 'wrong')
    const { headers: old } = await mailedCookies(again.email)
    app.clock.forward({ days: 1 })
    expect(await signIn(again.email, password, { headers: old })).toMatchObject(refused)
  })

  it('mails it three times a day at most, and nobody for an unknown address', async () => {
    const ana = await attacked()
    for (let time = 0; time < 5; time += 1) await signIn(ana.email, 'wrong')
    const mails = app.db.selectFrom('mailOutbox').select('id').where('recipient', '=', ana.email)
    await expect.poll(() => mails.execute(), { timeout: 10_000 }).toHaveLength(3)
    const made = await app.newcomer().get('/api/auth/known-browser?token=user.x.mail.1.y')
    expect(made.headers.getSetCookie()).toEqual([])
  })

  it('is opened by a reset link', async () => {
    const ana = await attacked()
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    const token = new URL(`http://x${(await app.letterTo(ana.email)).link()}`).searchParams.get('token')
    await app.newcomer().post('/api/auth/reset-password', { token, password: 'the newest passphrase' })
    expect((await signIn(ana.email, 'the newest passphrase')).status).toBe(200)
  })

  it('is open again after each success: the failures were not in a row', async () => {
    const ana = await attacked(1)
    expect((await signIn(ana.email, password)).status).toBe(200)
    expect(await signIn(ana.email, 'wrong')).toMatchObject(refused)
    expect((await signIn(ana.email, password)).status).toBe(200)
  })

  it('may be a platform admin’s, with the same ways in', async () => {
    const owner = await app.platformOwner()
    const path = '/api/admin/auth/login'
    const known = cookiesOf((await signIn(owner.email, password, { path })).headers)
    await signIn(owner.email, 'wrong', { path })
    await closeBut(owner.id, 0)
    expect(await signIn(owner.email, password, { path })).toMatchObject(refused)
    expect((await signIn(owner.email, password, { path, headers: known })).status).toBe(200)
    const { reply, headers } = await mailedCookies(owner.email)
    expect(reply.headers.get('location')).toBe('/platform/sign-in')
    expect((await signIn(owner.email, password, { path, headers })).status).toBe(200)
    expect((await signIn(owner.email, password, { path })).status).toBe(200)
  })
})

it('a hundred wrong sign-in codes in a row end the codes, but not in a known browser', async () => {
  const ana = await app.user()
  const known = cookiesOf((await signIn(ana.email, password)).headers)
  await ana.patch('/api/auth/me', { loginOtp: true })
  const { challengeId } = (await signIn(ana.email, password)).body
  const otp = (await app.letterTo(ana.email)).code()
  const verify = (given: string, headers = {}) =>
    app.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp: given }, headers)
  await verify('no code')
  await closeBut(ana.id, 0)
  expect(await verify(otp)).toMatchObject({ status: 401, body: { code: 'invalid_otp' } })
  const subjects = app.db.selectFrom('mailOutbox').select('subject').where('recipient', '=', ana.email)
  await expect
    .poll(() => subjects.execute(), { timeout: 10_000 })
    .toContainEqual({ subject: 'Too many failed sign-ins' })
  expect((await verify(otp, known)).status).toBe(200)
})

it('guesses from the networks of one IPv6 customer are counted together', async () => {
  const ana = await app.user()
  const from = (network: number) => ({ 'x-forwarded-for': `2001:db8:7:${network.toString(16)}::1` })
  for (let network = 0; network < 21; network += 1) await signIn(ana.email, 'wrong', { headers: from(network) })
  expect(await signIn(ana.email, password, { headers: from(99) })).toMatchObject(refused)
  expect((await signIn(ana.email, password, { headers: { 'x-forwarded-for': '2001:db8:8::1' } })).status).toBe(200)
})
