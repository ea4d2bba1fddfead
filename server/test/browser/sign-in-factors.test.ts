import { generateSync } from 'otplib'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { password } from '../harness/people.ts'
import { goTo, hasBrowser, signInAs, visit } from './browser.ts'
import { appPort, browserApp } from './browser-app.ts'

/** A passkey belongs to a domain, so the app has one here. */
const port = await appPort()
const home = `http://localhost:${port}`
const app = await browserApp({ env: { PORT: String(port), SVC_URL: home } })

/** Chromium's own software authenticator, such as that of a laptop. */
const plugIn = async (context: BrowserContext, page: Page) => {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  onTestFinished(async () => {
    await devtools.send('WebAuthn.disable')
    await devtools.detach()
  })
  /** Whether its holder touches it when asked. */
  const touch = (enabled: boolean) =>
    devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return { touch }
}

const signedIn = async (person: { email: string }, path: string) => {
  const { body } = await app.newcomer().post('/api/auth/login', { email: person.email, password })
  const visited = await visit(home + path, { as: body })
  return { ...visited, ...(await plugIn(visited.context, visited.page)) }
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /Account menu/ }).click()
  const left = page.waitForURL(`${home}/sign-in`)
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await left
}

const arrive = async (page: Page) => {
  await page.waitForURL('**/home')
  await page.getByRole('heading', { level: 1, name: /Ana Pereira/ }).waitFor()
}

/** Reads the recovery codes, and says that they are safe. */
const saveCodes = async (page: Page): Promise<string[]> => {
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Save them first').waitFor()
  await page.getByLabel('I saved these codes').check()
  await page.getByRole('button', { name: 'Done' }).click()
  return codes
}

describe.runIf(hasBrowser)('signing in with more than a password', () => {
  it('adds a passkey and an app, signs in by the passkey alone, as the second step, and by a recovery code, and asks again before what matters', async () => {
    const ana = await app.user({ name: 'Ana Pereira' })
    const { page, inspect, touch, problems } = await signedIn(ana, '/account/security')
    await page.getByText('No second factor yet').waitFor()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    await inspect('recovery-codes')
    const [code = ''] = await saveCodes(page)

    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await inspect('add-authenticator-app')
    const key = await page.getByText('Can’t scan it?').locator('xpath=following-sibling::p').textContent()
    const epoch = Math.floor(app.clock.now().getTime() / 1000)
    await page.getByLabel('Six-digit code').fill(generateSync({ secret: (key ?? '').replace(/\s/g, ''), epoch }))
    await page.getByText('Authenticator app added').waitFor()
    await page.getByText('10 left').waitFor()
    await inspect('account-factors')

    await touch(false)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await inspect('sign-in-passkey')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await touch(true)
    await arrive(page)

    await touch(false)
    await signOut(page)
    await signInAs(page, ana.email)
    await page.getByRole('heading', { name: 'Use your passkey' }).waitFor()
    await inspect('second-step')
    await page.getByRole('button', { name: 'Try another way' }).click()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await arrive(page)

    await signOut(page)
    await signInAs(page, ana.email)
    await page.getByLabel('Don’t ask this browser for 30 days').check()
    await touch(true)
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await arrive(page)

    app.clock.forward({ minutes: 6 })
    await goTo(page, '/account/api-keys')
    await page.getByRole('button', { name: 'New API key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('nightly report')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('heading', { name: 'Confirm that it’s you' }).waitFor()
    await inspect('fresh-proof')
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.getByLabel('Your new API key').waitFor()
    await page.keyboard.press('Escape')

    await goTo(page, '/account/security')
    await page.getByText('9 left').waitFor()
    await page.getByText('1 remembered browser').waitFor()
    expect(problems).toEqual([])
  })

  it('leads who needs a factor to a page that sets it up, and shows their administrator who has one', async () => {
    const boss = await app.user({ org: 'careful', name: 'Bo Boss' })
    const ana = await app.user({ org: 'careful', name: 'Ana Pereira' })
    const { page, inspect } = await signedIn(boss, '/organization/sign-in')
    await page.getByLabel('Members need').selectOption('A passkey')
    await inspect('factor-policy')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()

    await signOut(page)
    await goTo(page, '/account/usage')
    await signInAs(page, ana.email)
    await page.getByRole('heading', { name: 'Your organization asks for a second factor' }).waitFor()
    expect(await page.getByRole('button', { name: 'Add an authenticator app' }).count()).toBe(0)
    await inspect('second-factor-needed')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name', { exact: true }).fill('My laptop')
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await saveCodes(page)
    await page.waitForURL('**/account/usage')

    const admin = await visit(`${home}/organization/members`, { as: boss })
    await admin.page.getByLabel('Second factor').selectOption('With a second factor')
    await admin.page.getByText('Passkey').waitFor()
    await admin.page.getByRole('table').getByText(boss.email).waitFor({ state: 'detached' })
    await admin.inspect('members-with-factors')
    await admin.page
      .getByRole('button', { name: /Ana Pereira|Actions/ })
      .last()
      .click()
    await admin.page.getByRole('menuitem', { name: 'Reset second factors' }).click()
    await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factors' }).click()
    await admin.page.getByText('No matching members').waitFor()
    expect((await ana.get('/api/auth/me')).status).toBe(401)
  })
})
