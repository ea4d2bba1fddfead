import { describe, expect, it } from 'vitest'
import { password } from '../harness/people.ts'
import { hasBrowser, signInAs, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp()

describe.runIf(hasBrowser)('signing in', () => {
  it('lets a person sign up and lands them at home', async () => {
    const { page, inspect, problems } = await visit(`${app.url}/register`)
    await inspect('register')
    await page.getByLabel('Your name').fill('Ana Pereira')
    await page.getByLabel('Email').fill('ana@example.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/home')
    await page.getByRole('heading', { level: 1, name: /Ana Pereira/ }).waitFor()
    await inspect('home')
    expect(problems).toEqual([])
  })

  it('lets a company register and lands its administrator at the organization', async () => {
    const { page } = await visit(`${app.url}/register`)
    await page.getByRole('radio', { name: /company/i }).check({ force: true })
    await page.getByLabel('Company name').fill('Aldgate Paper Company')
    await page.getByLabel('Your name').fill('Bohdan Kovalenko')
    await page.getByLabel('Email').fill('bohdan@aldgate.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/organization')
    await page.getByRole('heading', { name: 'Aldgate Paper Company' }).waitFor()
  })

  it('signs in by address, then password, and goes back to where one wanted to go', async () => {
    const ana = await app.user()
    const { page, inspect } = await visit(`${app.url}/account/api-keys`)
    await page.waitForURL(/\/sign-in\?/)
    await inspect('sign-in')
    await signInAs(page, ana.email)
    await page.waitForURL('**/account/api-keys')
  })

  it('says beside the field that the password is wrong, and keeps the email', async () => {
    const ana = await app.user()
    const { page } = await visit(`${app.url}/sign-in`)
    await signInAs(page, ana.email, 'not this one')
    await page.getByText('The email or password is incorrect.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(ana.email)
  })

  it('does not send anybody to another site after signing in', async () => {
    const ana = await app.user()
    const { page } = await visit(`${app.url}/sign-in?return_to=${encodeURIComponent('//evil.test/x')}`)
    await signInAs(page, ana.email)
    await page.waitForURL('**/home')
  })

  it('asks for the mailed code when the second step is on', async () => {
    const ana = await app.user()
    await ana.patch('/api/auth/me', { loginOtp: true })
    const { page, inspect } = await visit(`${app.url}/sign-in`)
    await signInAs(page, ana.email)
    await page.getByLabel('Six-digit code').waitFor()
    await inspect('sign-in-code')
    const letter = await app.letterTo(ana.email)
    await page.getByLabel('Six-digit code').fill(letter.code())
    await page.waitForURL('**/home')
  })

  it('resets a forgotten password by the mailed link, and the link works once', async () => {
    const ana = await app.user()
    const { page, inspect } = await visit(`${app.url}/forgot-password`)
    await page.getByLabel('Email').fill(ana.email)
    await page.getByRole('button', { name: /link/i }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const { link } = await app.letterTo(ana.email)
    await page.goto(app.url + link())
    await page.getByLabel('New password').fill('another fine passphrase')
    await inspect('reset-password')
    await page
      .getByRole('button', { name: /password/i })
      .last()
      .click()
    await page.waitForURL('**/sign-in**')
    await signInAs(page, ana.email, 'another fine passphrase')
    await page.waitForURL('**/home')
    const again = await visit(app.url + link())
    await again.page.getByLabel('New password').fill('a third fine passphrase')
    await again.page
      .getByRole('button', { name: /password/i })
      .last()
      .click()
    await again.page.getByText('This reset link is invalid or has expired. Request a new one.').waitFor()
  })

  it('loads less than 150 kB of gzipped JavaScript for the sign-in page', async () => {
    const { page, context } = await visit(`${app.url}/sign-in`)
    await page.getByLabel('Email').waitFor()
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.name)
        .filter((name) => new URL(name).pathname.endsWith('.js')),
    )
    expect(scripts.length).toBeGreaterThan(0)
    const sizes = await Promise.all(scripts.map(async (url) => gzipSize(await (await context.request.get(url)).body())))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
  })
})

const gzipSize = async (bytes: Buffer): Promise<number> => {
  const { gzipSync } = await import('node:zlib')
  return gzipSync(bytes).length
}
