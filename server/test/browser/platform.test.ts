import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bearer } from '../harness/client.ts'
import { type Person, password } from '../harness/people.ts'
import { testSecrets } from '../harness/secrets.ts'
import { sendDraft } from '../harness/signing.ts'
import { goTo, hasBrowser, type Visit, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'
import { wide } from './profiles.ts'
import { fillStatus } from './status-samples.ts'

const app = await browserApp({ env: { SMTP_HOST: '' } })

const firstAdmin = { name: 'Wilhelmina Oster', email: 'wilhelmina@example.test' }
const logIn = (given: string) =>
  app.newcomer().post('/api/admin/auth/login', { email: firstAdmin.email, password: given })

describe.runIf(hasBrowser)('a new instance', () => {
  it('does not say that it sent a code while it cannot send email', async () => {
    const ana = await app.user()
    await ana.patch('/api/auth/me', { loginOtp: true })
    const { page, inspect } = await visit(`${app.url}/sign-in`)
    await page.getByLabel('Email').fill(ana.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This server can’t send email yet.').waitFor()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect(await page.getByText(/we sent/i).count()).toBe(0)
    await inspect('sign-in-code-without-mail')
  })

  it('is set up with the key and only once; its admin sees and manages everything, changes the password and signs in again', async () => {
    const ana = await app.user({ name: 'Ana Pereira', org: 'Aldgate Paper Company' })
    const ben = await app.user({ name: 'Ben Short' })
    await app.newcomer().post('/api/auth/forgot-password', { email: ana.email })
    const { page, inspect } = await visit(`${app.url}/sign-in`)
    await page.getByRole('link', { name: /set/i }).click()
    await page.waitForURL('**/setup')
    await inspect('setup')
    await page.getByLabel('Setup key').fill(testSecrets.ADMIN_SETUP_KEY)
    await page.getByLabel('Your name').fill(firstAdmin.name)
    await page.getByLabel('Email').fill(firstAdmin.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: /set up/i }).click()
    await page.waitForURL('**/platform')
    // An admin has no account, so the areas of people aren't offered.
    const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('link')
    await expect.poll(() => areas.allInnerTexts()).toEqual(['Platform'])
    const steps = page.getByRole('region', { name: 'Get started' })
    await steps.getByRole('link', { name: 'Connect a model' }).waitFor()
    await steps.getByRole('link', { name: 'Connect a mail server' }).waitFor()
    await inspect('platform-overview')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Ben Sh')
    await page.getByRole('option', { name: /^Ben Short/ }).waitFor()
    await page.keyboard.press('Escape')

    const tabs = page.getByRole('navigation', { name: 'Platform console' })
    await fillStatus(app.db, ben.id)
    await tabs.getByRole('link', { name: 'Status' }).click()
    await readStatus({ page, inspect })
    await manageUsers({ page, inspect }, ben)
    await tabs.getByRole('link', { name: 'Organizations' }).click()
    await page.getByText('Aldgate Paper Company').first().waitFor()
    await tabs.getByRole('link', { name: 'Audit log' }).click()
    await inspect('platform-audit')
    // On a phone as well, an entry says what was changed.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('User “Ben Short”').first().waitFor()
    await page.setViewportSize(wide)
    await page.getByLabel('Search audit log').fill('nothing that happened')
    await page.getByText('No matching entries').waitFor()
    await tabs.getByRole('link', { name: 'Emails' }).click()
    await page.getByText('Reset your password').first().click()
    await page.getByText('/reset-password?token=').first().waitFor()
    await inspect('platform-mail')

    await changePassword(page, 'another perfectly fine passphrase')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/platform/sign-in')
    await goTo(page, '/platform/sign-in?return_to=/platform/admins')
    await page.getByLabel('Email').fill(firstAdmin.email)
    await page.getByLabel('Password', { exact: true }).fill('another perfectly fine passphrase')
    await page.getByRole('button', { name: 'Sign in' }).click()
    // The sign-in page's own URL also ends in this path.
    await page.waitForURL(`${app.url}/platform/admins`)
    await goTo(page, '/setup')
    await page.getByRole('heading', { name: 'Already set up' }).waitFor()
  })
})

/** Plots with the figures behind them, for the last day and for a month. */
const readStatus = async ({ page, inspect }: Pick<Visit, 'page' | 'inspect'>): Promise<void> => {
  await page.getByRole('table', { name: 'At a limit' }).getByRole('link', { name: 'Ben Short' }).waitFor()
  await page.locator('.recharts-surface').first().waitFor()
  await page.locator('summary', { hasText: 'Time to answer' }).focus()
  await page.keyboard.press('Enter')
  const answers = page.getByRole('table', { name: 'Time to answer' })
  await answers.getByRole('columnheader', { name: '95th percentile' }).waitFor()
  await inspect('platform-status')
  await page.getByText('30 days').click()
  await page.waitForURL('**/status?span=month')
  await page.getByText('Every six hours').waitFor()
}

/** Deactivates one of the users, who is signed out by it, and deletes them. */
const manageUsers = async ({ page, inspect }: Pick<Visit, 'page' | 'inspect'>, ben: Person): Promise<void> => {
  await page.getByRole('navigation', { name: 'Platform console' }).getByRole('link', { name: 'Users' }).click()
  await page.getByText(ben.email).waitFor()
  await inspect('platform-users')
  // As a screen reader has it: what each column is, how it is sorted, and what each row and box is for.
  const users = page.getByRole('table', { name: 'Users' })
  await users.getByRole('button', { name: 'Person' }).press('Enter')
  await page.waitForURL('**/users?sort=name')
  await users.locator('[aria-sort=ascending]').waitFor()
  const tree = await users.ariaSnapshot()
  for (const part of ['checkbox "Select all on this page"', 'columnheader "Person"', 'checkbox "Select Ana Pereira"'])
    expect(tree).toContain(part)

  await page.getByRole('button', { name: `Deactivate ${ben.email}` }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /deactivate/i })
    .click()
  await page.getByText('Deactivated').first().waitFor()
  expect((await ben.get('/api/auth/me')).status).toBe(401)
  await page.getByRole('link', { name: 'Ben Short' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Ben Short?' })
  await dialog.getByLabel('Hand over to').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Ben Short deleted').first().waitFor()
  await page.waitForURL('**/platform/users')
  expect(await app.db.selectFrom('users').select('id').where('id', '=', ben.id).execute()).toEqual([])
}

/** Ends the admin's other session first. */
const changePassword = async (page: Page, newPassword: string): Promise<void> => {
  const { body: other } = await logIn(password)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByText('This device').waitFor()
  await page
    .getByRole('button', { name: /^End session/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click()
  await page.getByText('Session ended').first().waitFor()
  expect((await app.newcomer().get('/api/admin/auth/me', bearer(other.token))).status).toBe(401)
  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').first().waitFor()
  expect((await logIn(password)).status).toBe(401)
}

describe.runIf(hasBrowser)('without a mail server', () => {
  it('an admin and a sender copy the links themselves, and a leaving toast leaves an open menu open', async () => {
    const admin = await app.user({ name: 'Olga Quist', org: 'Quiet Mills' })
    const { page, context, inspect, problems } = await visit(`${app.url}/organization/members`, { as: admin })
    await page.clock.install()
    await page.getByRole('button', { name: 'Invite people' }).click()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    // A problem goes away with the next key, not with the next attempt.
    await page.locator('[aria-invalid=true]').waitFor()
    await page.getByLabel('Email').fill('nora@quiet.test')
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0)
    await page.getByText('You’ll get a link to send to them yourself.').waitFor()
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const invitation = page.getByRole('dialog', { name: 'Invitation link for nora@quiet.test' })
    await invitation.getByRole('button', { name: 'Copy link' }).click()
    const joinUrl = await invitation.getByLabel('Link', { exact: true }).inputValue()
    await inspect('copy-link')
    await invitation.getByRole('button', { name: 'Copy link' }).click()
    await invitation.getByRole('button', { name: 'Done' }).click()

    const toasts = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' })
    await toasts.first().waitFor()
    await page.getByRole('button', { name: 'Actions for nora@quiet.test' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    await page.clock.fastForward(10_000)
    await expect.poll(() => toasts.count()).toBe(0)
    expect(await page.getByRole('menuitem', { name: 'Copy link' }).isVisible()).toBe(true)

    const sent = await sendDraft(admin, { title: 'Mill lease', recipients: [{ name: 'Sam Reed' }] })
    await goTo(page, `/documents/${sent.id}`)
    await page.getByText('Copy each link and send it to the recipient yourself.').waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    const signing = page.getByRole('dialog', { name: 'Signing link for Sam Reed' })
    await signing.getByRole('button', { name: 'Copy link' }).click()
    const signUrl = await signing.getByLabel('Link', { exact: true }).inputValue()
    await page.getByText('Olga Quist copied the link for Sam Reed to hand it over').waitFor()

    await context.clearCookies()
    await page.goto(app.url + new URL(joinUrl).pathname + new URL(joinUrl).search)
    await page.getByRole('heading', { name: 'Join Quiet Mills' }).waitFor()
    await goTo(page, new URL(signUrl).pathname)
    await page.getByRole('heading', { name: 'Mill lease' }).waitFor()
    expect(problems).toEqual([])
  })
})
