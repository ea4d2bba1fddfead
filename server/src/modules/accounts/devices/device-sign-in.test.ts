import { describe, expect, it } from 'vitest'
import { bearer } from '#test/harness/client.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()
const path = '/api/auth/device'

const start = async () => {
  const device = app.newcomer()
  const { body } = await device.post(path, { name: 'chancery on a laptop' })
  const take = () => device.post(`${path}/token`, { device_code: body.device_code })
  return { ...body, take }
}
const decide = (person: Awaited<ReturnType<typeof app.user>>, userCode: string, allowed = true) =>
  person.post(`${path}/decision`, { user_code: userCode, allowed })

describe('signing in on a device', () => {
  it('gives it a key of the person who confirmed its code, once', async () => {
    const ana = await app.user({ isProven: true })
    const { take, user_code, verification_uri_complete } = await start()
    expect(user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
    expect(verification_uri_complete).toMatch(new RegExp(`/account/device\\?code=${user_code}$`))
    expect(await take()).toMatchObject({ status: 400, body: { code: 'authorization_pending' } })

    const asTyped = user_code.toLowerCase().replace('-', ' ')
    const question = await ana.get(`${path}/question?user_code=${encodeURIComponent(asTyped)}`)
    expect(question).toMatchObject({
      status: 200,
      body: { name: 'chancery on a laptop', ip: expect.stringMatching(/^10\./) },
    })
    expect(await decide(ana, asTyped)).toMatchObject({ status: 204 })

    const [first, second] = await Promise.all([take(), take()])
    const [taken, refused] = first.status === 200 ? [first, second] : [second, first]
    expect(refused).toMatchObject({ status: 400, body: { code: 'expired_token' } })
    expect(taken.body).toMatchObject({ token_type: 'Bearer', expires_in: 90 * 86_400 })
    const me = await app.newcomer().get('/api/auth/me', bearer(taken.body.access_token))
    expect(me.body).toMatchObject({ id: ana.id })
    const { items } = (await ana.get('/api/v1/api-keys')).body
    expect(items).toMatchObject([{ name: 'chancery on a laptop', expires_at: expect.any(Number) }])
    expect(await decide(ana, user_code)).toMatchObject({ status: 404, body: { code: 'device_code_not_found' } })
  })

  it('is over when the person declines, and nobody else can confirm it then', async () => {
    const [ana, ben] = [await app.user({ isProven: true }), await app.user({ isProven: true })]
    const { take, user_code } = await start()
    await decide(ana, user_code, false)
    expect(await decide(ben, user_code)).toMatchObject({ status: 404 })
    expect(await take()).toMatchObject({ status: 400, body: { code: 'access_denied' } })
  })

  it('gives no key after the person has signed out', async () => {
    const ana = await app.user({ isProven: true })
    const { take, user_code } = await start()
    await decide(ana, user_code)
    await ana.post('/api/auth/logout')
    expect(await take()).toMatchObject({ status: 400, body: { code: 'access_denied' } })
  })

  it('cannot be confirmed with a key that is good for less', async () => {
    const ana = await app.user({ isProven: true })
    const { key } = (await ana.post('/api/v1/api-keys', { name: 'small', allowed_routes: [path] })).body
    const { user_code } = await start()
    const body = { user_code, allowed: true }
    const reply = await app.newcomer().post(`${path}/decision`, body, bearer(key))
    expect(reply).toMatchObject({ status: 403, body: { code: 'key_exceeds_own_rights' } })
  })

  it('ends after ten minutes', async () => {
    const { take, user_code } = await start()
    app.clock.forward({ minutes: 11 })
    const ana = await app.user({ isProven: true })
    expect(await take()).toMatchObject({ status: 400, body: { code: 'expired_token' } })
    expect(await decide(ana, user_code)).toMatchObject({ status: 404 })
  })
})
