import { describe, expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'
import { password } from '../harness/people.ts'
import { testSecrets } from '../harness/secrets.ts'
import { hasBrowser, visit } from './browser.ts'

const app = await testApp({ env: { SMTP_HOST: '' } })

describe.runIf(hasBrowser)('a new instance', () => {
  it('is set up with the key, and its console shows people, organizations, actions and mail', async () => {
    const { page, inspect } = await visit(`${app.url}/sign-in`)
    const tabs = page.getByRole('navigation', { name: 'Platform console' })
    await page.getByRole('link', { name: /set/i }).click()
    await page.waitForURL('**/setup')
    await inspect('setup')
    await page.getByLabel('Setup key').fill(testSecrets.ADMIN_SETUP_KEY)
    await page.getByLabel('Your name').fill('Wilhelmina Oster')
    await page.getByLabel('Email').fill('wilhelmina@example.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: /set up/i }).click()
    await page.waitForURL('**/platform')
    // An admin has no account, so the areas of people aren't offered.
    const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
    await expect.poll(() => areas.allInnerTexts()).toEqual(['Platform'])

    const ana = await app.user({ name: 'Ana Pereira', org: 'Aldgate Paper Company' })
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    await page.reload()
    await inspect('platform-overview')
    await tabs.getByRole('link', { name: 'Users' }).click()
    await page.getByText(ana.email).waitFor()
    await inspect('platform-users')
    await tabs.getByRole('link', { name: 'Organizations' }).click()
    await page.getByText('Aldgate Paper Company').first().waitFor()
    await tabs.getByRole('link', { name: 'Audit log' }).click()
    await inspect('platform-audit')
    await tabs.getByRole('link', { name: 'Emails' }).click()
    await page.getByText('Reset your password').first().click()
    await page.getByText('/reset-password?token=').first().waitFor()
    await inspect('platform-mail')
  })

  it('does not offer the setup a second time', async () => {
    const { page } = await visit(`${app.url}/setup`)
    await page.getByRole('heading', { name: 'Already set up' }).waitFor()
  })

  it('lets the admin sign in again and deactivate a user', async () => {
    const ben = await app.user({ name: 'Ben Short' })
    const { page } = await visit(`${app.url}/platform/sign-in`)
    await page.getByLabel('Email').fill('wilhelmina@example.test')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/platform')
    await page.goto(`${app.url}/platform/users?search=Ben`)
    await page.getByRole('button', { name: `Deactivate ${ben.email}` }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /deactivate/i })
      .click()
    await page.getByText('Deactivated').first().waitFor()
    const { status } = await ben.get('/api/auth/me')
    if (status !== 401) throw new Error(`Ben still gets ${status}`)
  })
})
