import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { password } from '../harness/people.ts'
import { goTo, hasBrowser, signInAs, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp()

describe.runIf(hasBrowser)('signing in', () => {
  it('lets a person sign up and lands them at home, and a company, whose admin lands at the organization', async () => {
    const { page, inspect, problems } = await visit(`${app.url}/register`)
    await inspect('register')
    await page.getByLabel('Your name').fill('Ana Pereira')
    await page.getByLabel('Email').fill('ana@example.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/home')
    await page.getByRole('heading', { level: 1, name: /Ana Pereira/ }).waitFor()
    await inspect('home')

    await signOut(page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('radio', { name: /company/i }).check({ force: true })
    await page.getByLabel('Company name').fill('Aldgate Paper Company')
    await page.getByLabel('Your name').fill('Bohdan Kovalenko')
    await page.getByLabel('Email').fill('bohdan@aldgate.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/organization')
    await page.getByRole('heading', { name: 'Aldgate Paper Company' }).waitFor()
    expect(problems).toEqual([])
  })

  it('takes little JavaScript, says beside the field that the password is wrong, and leads to no other site', async () => {
    const ana = await app.user()
    const { page, context, inspect } = await visit(
      `${app.url}/sign-in?return_to=${encodeURIComponent('//evil.test/x')}`,
    )
    await page.getByLabel('Email').waitFor()
    const scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.name)
        .filter((name) => new URL(name).pathname.endsWith('.js')),
    )
    expect(scripts.length).toBeGreaterThan(0)
    const loaded = await Promise.all(scripts.map(async (url) => (await context.request.get(url)).body()))
    const gzipped = loaded.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)
    expect(gzipped).toBeLessThan(150_000)
    await inspect('sign-in')

    await signInAs(page, ana.email, 'not this one')
    await page.getByText('The email or password is incorrect.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${app.url}/home`)
  })

  it('goes back to where one wanted to go after the mailed code; sets a forgotten password by a link that works once', async () => {
    const [ana, ben] = [await app.user(), await app.user()]
    await ana.patch('/api/auth/me', { loginOtp: true })
    const { page, inspect } = await visit(`${app.url}/account/api-keys`)
    await page.waitForURL(/\/sign-in\?/)
    await signInAs(page, ana.email)
    await page.getByLabel('Six-digit code').waitFor()
    await inspect('sign-in-code')
    await page.getByLabel('Six-digit code').fill((await app.letterTo(ana.email)).code())
    await page.waitForURL('**/account/api-keys')

    await signOut(page)
    await goTo(page, '/sign-in?problem=sso_failed')
    await page.getByText('Company login failed. Try again.').waitFor()
    await goTo(page, '/sign-in?problem=constructor')
    await page.getByText('Company login failed. Try again.').waitFor({ state: 'detached' })
    await page.getByLabel('Email').fill(ben.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Forgot password?' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email').fill(ben.email)
    await page.getByRole('button', { name: /link/i }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const link = (await app.letterTo(ben.email)).link()
    const setPassword = async (given: string) => {
      await page.getByLabel('New password').fill(given)
      await page
        .getByRole('button', { name: /password/i })
        .last()
        .click()
    }
    await goTo(page, link)
    await page.getByLabel('New password').waitFor()
    await inspect('reset-password')
    await setPassword('another fine passphrase')
    await page.waitForURL('**/sign-in**')
    await goTo(page, link)
    await setPassword('a third fine passphrase')
    await page.getByText('This reset link is invalid or has expired. Request a new one.').waitFor()
    await goTo(page, '/sign-in')
    await signInAs(page, ben.email, 'another fine passphrase')
    await page.waitForURL('**/home')
  })

  it('verifies an email where the reader of the link is not signed in, with a new password', async () => {
    const squatter = await app.user()
    await squatter.post('/api/auth/resend-verification')
    const { page, inspect } = await visit(`${app.url}${(await app.letterTo(squatter.email)).link()}`)
    await page.getByLabel('New password').fill('the choice of the owner')
    await inspect('verify-email')
    await page.getByRole('button', { name: 'Set password and verify' }).click()
    await page.waitForURL('**/sign-in')
    await signInAs(page, squatter.email, 'the choice of the owner')
    await page.waitForURL('**/home')
    expect((await squatter.get('/api/auth/me')).status).toBe(401)
  })
})

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
}
