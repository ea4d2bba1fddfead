import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#test/harness/app.ts'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'
import { documentsPath, sendDraft, visitorWith } from '#test/harness/signing.ts'

const mute = await testApp({ env: { SMTP_HOST: '' } })

const mailTo = async (app: TestApp, email: string) => {
  const owner = await app.platformOwner()
  const { body } = await owner.get(`/api/admin/outbox?search=${encodeURIComponent(email)}`)
  const [head] = body.items
  return head ? { head, mail: await owner.get(`/api/admin/outbox/${head.id}`) } : undefined
}

describe('the outbox in the console', () => {
  it('shows the text of a mail where there is no mail server, and the link in it works', async () => {
    const app = mute
    const ana = await app.user()
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    await expect.poll(() => mailTo(app, ana.email), { timeout: 10_000 }).toBeDefined()
    const found = await mailTo(app, ana.email)
    expect(found?.head).toMatchObject({ to: ana.email, subject: 'Reset your password', status: 'kept', sentAt: null })
    expect(found?.head).not.toHaveProperty('text')
    const token = /token=([\w-]{43})/.exec(found?.mail.body.text)?.[1]
    const reset = { token, password: 'chosen from the outbox' }
    expect(await app.newcomer().post('/api/auth/reset-password', reset)).toMatchObject({ status: 200 })
    const login = await app.newcomer().post('/api/auth/login', { email: ana.email, password: reset.password })
    expect(login.body.user.emailVerified).toBe(false)
    const row = await app.db
      .selectFrom('mailOutbox')
      .selectAll()
      .where('id', '=', found?.head.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token)
  })

  it('holds verification links and codes, which prove no address once an admin could read them', async () => {
    const ana = await mute.user()
    await ana.post('/api/auth/resend-verification')
    const read = async () => (await mailTo(mute, ana.email))?.mail.body.text
    const token = /token=([\w-]{43})/.exec(await read())?.[1]
    const refused = await ana.post('/api/auth/verify-email', { token })
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_verification_token' } })
    await ana.patch('/api/auth/me', { loginOtp: true })
    const credentials = { email: ana.email, password }
    const { challengeId } = (await mute.newcomer().post('/api/auth/login', credentials)).body
    const otp = /\b\d{6}\b/.exec(await read())?.[0]
    const signedIn = await mute.newcomer().post('/api/auth/verify-login-otp', { challengeId, otp })
    expect(signedIn).toMatchObject({ status: 200, body: { user: { emailVerified: false } } })
  })

  it('holds signing links, and the certificate says of one that is used that it was not emailed', async () => {
    const ana = await mute.user()
    const sent = await sendDraft(ana)
    const request = await mailTo(mute, sent.recipients[0]?.email ?? '')
    const visitor = visitorWith(mute, /\/sign\/([\w-]{36})/.exec(request?.mail.body.text)?.[1] ?? '')
    await visitor.prepare()
    const { recipients } = (await ana.get(`${documentsPath}/${sent.id}/certificate`)).body
    expect(recipients).toMatchObject([{ state: 'OPENED', authentication: 'copied_link' }])
  })

  it('has forgotten the text once a mail server took it', async () => {
    const app = await sharedApp()
    const ana = await app.user()
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    await app.letterTo(ana.email)
    await expect.poll(async () => (await mailTo(app, ana.email))?.head.status, { timeout: 10_000 }).toBe('sent')
    const found = await mailTo(app, ana.email)
    expect(found?.mail).toMatchObject({ status: 200, body: { status: 'sent', attempts: 1, error: null, text: null } })
    expect(found?.mail.body.sentAt).not.toBeNull()
    const row = await app.db
      .selectFrom('mailOutbox')
      .selectAll()
      .where('id', '=', found?.head.id)
      .executeTakeFirstOrThrow()
    expect(row.sealedBody).toBeNull()
  })

  it('is for platform admins alone', async () => {
    const app = mute
    const ana = await app.user()
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    await expect.poll(() => mailTo(app, ana.email), { timeout: 10_000 }).toBeDefined()
    const found = await mailTo(app, ana.email)
    expect(await ana.get(`/api/admin/outbox/${found?.head.id}`)).toMatchObject({ status: 403 })
    expect(await app.newcomer().get(`/api/admin/outbox/${found?.head.id}`)).toMatchObject({ status: 401 })
    const owner = await app.platformOwner()
    expect(await owner.get(`/api/admin/outbox/${app.unknownId()}`)).toMatchObject({
      status: 404,
      body: { code: 'mail_not_found' },
    })
  })
})
