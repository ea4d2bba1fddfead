import { describe, expect, it } from 'vitest'
import { password } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

const app = await sharedApp()

describe('registering a person', () => {
  it('makes the account and signs it in, by token and by cookie', async () => {
    const reply = await app.anonymous.post('/api/auth/register', {
      name: ' Zoë 张 ',
      email: 'Zoe@Register.Example.TEST ',
      password,
    })

    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({
      tokenType: 'Bearer',
      user: {
        name: 'Zoë 张',
        email: 'zoe@register.example.test',
        role: 'ROLE_USER',
        organizationId: null,
        status: 'ACTIVE',
      },
    })
    expect(Object.keys(reply.body.user).sort()).toEqual(
      ['createdAt', 'email', 'emailVerified', 'id', 'name', 'organizationId', 'role', 'status'].sort(),
    )
    const inFourWeeks = app.clock.now().getTime() + 28 * 86_400_000
    expect(Math.abs(Date.parse(reply.body.expiresAt) - inFourWeeks)).toBeLessThan(60_000)
    const cookie = reply.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^token=.+; Path=\/; Expires=.+; HttpOnly; SameSite=Lax$/)
    const me = await app.anonymous.get('/api/auth/me', { cookie: cookie.split(';')[0] ?? '' })
    expect(me).toMatchObject({ status: 200, body: { email: 'zoe@register.example.test', loginOtp: false } })
  })

  it('stores the password as a BCrypt hash and shows it nowhere', async () => {
    const ana = await app.user()
    const row = await app.db.selectFrom('users').selectAll().where('id', '=', ana.id).executeTakeFirstOrThrow()
    expect(row.passwordHash).toMatch(/^\$2b\$04\$/)
    const me = await ana.get('/api/auth/me')
    expect(me.text).not.toContain('$2b$')
  })

  it('keeps one account per address, however it is spelled, also when two register at once', async () => {
    const body = { name: 'Bo', email: 'bo@register.example.test', password }
    const replies = await Promise.all([
      app.anonymous.post('/api/auth/register', body),
      app.anonymous.post('/api/auth/register', { ...body, email: 'BO@register.example.test' }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
    const again = await app.anonymous.post('/api/auth/register', body)
    expect(again).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  })

  it.each([
    ['role', 'ROLE_PLATFORM_OWNER'],
    ['organizationId', '00000000-0000-7000-8000-000000000000'],
    ['id', '00000000-0000-7000-8000-000000000000'],
    ['plan', 'ENTERPRISE'],
    ['emailVerified', true],
    ['status', 'ACTIVE'],
  ])('refuses to be told its %s (A10)', async (field, value) => {
    const email = `mass.${field.toLowerCase()}@example.test`
    const reply = await app.anonymous.post('/api/auth/register', { name: 'M', email, password, [field]: value })
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const rows = await app.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows).toEqual([])
  })

  it('registers a company with its first administrator and a trial plan', async () => {
    const body = { companyName: 'Acme, "R&D" <Labs>', name: 'Olaf', email: 'olaf@register.example.test', password }
    const reply = await app.anonymous.post('/api/auth/register-company', body)
    expect(reply).toMatchObject({
      status: 201,
      body: { user: { role: 'ROLE_ORG_ADMIN' }, organization: { name: 'Acme, "R&D" <Labs>', code: 'acme-r-d-labs' } },
    })
    expect(reply.body.user.organizationId).toBe(reply.body.organization.id)
    const org = await app.anonymous.get('/api/org/me', { authorization: `Bearer ${reply.body.token}` })
    expect(org).toMatchObject({
      status: 200,
      body: { authProvider: 'NATIVE', memberCount: 1, plan: { name: 'TRIAL', limits: { members: 25 } } },
    })
    const thirtyDays = Date.parse(org.body.plan.trialEndsAt) - Date.parse(org.body.createdAt)
    expect(thirtyDays).toBe(30 * 86_400_000)
  })

  it('leaves no organization behind when the address is taken', async () => {
    const ana = await app.user()
    const body = { companyName: 'Ghost Ltd', name: 'G', email: ana.email, password }
    expect(await app.anonymous.post('/api/auth/register', body)).toMatchObject({ status: 409 })
    const rows = await app.db.selectFrom('organizations').select('id').where('name', '=', 'Ghost Ltd').execute()
    expect(rows).toEqual([])
  })
})

describe('the password rule', () => {
  const attempt = (given: unknown) =>
    app.newcomer().post('/api/auth/register', { name: 'P', email: `p${Math.random()}@example.test`, password: given })

  it.each([
    ['seven characters', 'abc123!'],
    ['257 characters', 'ä'.repeat(257)],
    ['a NUL', 'nul\0 in the middle'],
    ['nothing', ''],
    ['null', null],
    ['a number', 12_345_678],
    ['an array', ['correct horse battery']],
  ])('refuses %s', async (_what, given) => {
    const reply = await attempt(given)
    expect([400, 422]).toContain(reply.status)
    expect(reply.body.code).toMatch(/^(validation_failed|invalid_text)$/)
  })

  it.each(['password', 'Passw0rd!', 'qwertyuiop', '12345678', 'aaaaaaaa', 'abcabcabc', 'Password2024!'])(
    'refuses the common %s',
    async (given) => expect(await attempt(given)).toMatchObject({ status: 422, body: { code: 'password_too_common' } }),
  )

  it.each([
    ['eight emoji', '🦊🐙🦉🐝🦋🐢🦄🐳'],
    ['Greek', 'ἀνερρίφθω κύβος'],
    ['256 characters of four bytes', '🦊🐙'.repeat(128)],
    ['73 times the same letter', 'a'.repeat(73)],
    ['only spaces inside', 'two  spaces  count'],
  ])('accepts %s', async (_what, given) => expect(await attempt(given)).toMatchObject({ status: 201 }))
})
