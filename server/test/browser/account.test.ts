import { describe, expect, it } from 'vitest'
import { bearer } from '../harness/client.ts'
import { password } from '../harness/people.ts'
import { goTo, hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp()

/** In a session of their own, beside the one that `ana` has. */
const signedIn = async (path: string) => {
  const ana = await app.user({ name: 'Ana Pereira' })
  const { body } = await app.newcomer().post('/api/auth/login', { email: ana.email, password })
  return { ana, ...(await visit(app.url + path, { as: body })) }
}

describe.runIf(hasBrowser)('the account settings', () => {
  it('change the name everywhere it is shown, and make an API key that is shown once, works, and can be revoked; a device signs in by a code', async () => {
    const { ana, page, inspect } = await signedIn('/account')
    await inspect('account-profile')
    await page.getByLabel('Your name').fill('Ana de Souza')
    await page.getByRole('button', { name: /save/i }).click()
    await page.getByText('Ana de Souza').first().waitFor()
    expect(await ana.get('/api/auth/me')).toMatchObject({ body: { name: 'Ana de Souza' } })

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'New API key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('nightly report')
    await page.getByRole('button', { name: 'Create API key' }).click()
    const shown = page.getByLabel('Your new API key')
    await shown.waitFor()
    const key = (await shown.inputValue()).trim()
    expect(key).toMatch(/^sk-/)
    await inspect('api-key-shown-once')
    expect(await app.newcomer().get('/api/auth/me', bearer(key))).toMatchObject({ status: 200 })

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Revoke nightly report' }).waitFor()
    expect(await page.content()).not.toContain(key)
    await inspect('api-keys')
    await page.getByRole('button', { name: 'Revoke nightly report' }).click()
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /revoke/i })
      .click()
    await page.getByText('No API keys yet').waitFor()
    expect(await app.newcomer().get('/api/auth/me', bearer(key))).toMatchObject({ status: 401 })

    const device = (await app.newcomer().post('/api/auth/device', { name: 'chancery on a laptop' })).body
    await goTo(page, '/account/device')
    await page.getByLabel('Code').fill(device.user_code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('chancery on a laptop wants to sign in as you').waitFor()
    await inspect('sign-in-on-a-device')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('signed in on the device').waitFor()
    const taken = await app.newcomer().post('/api/auth/device/token', { device_code: device.device_code })
    expect(await app.newcomer().get('/api/auth/me', bearer(taken.body.access_token))).toMatchObject({ status: 200 })
  })

  it('are found in the command palette, list the sessions and end another one, change the password and ask for a code', async () => {
    const { ana, page, inspect } = await signedIn('/account/security')
    await page.getByRole('button', { name: 'Search and commands' }).waitFor()
    await inspect('account-security')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('session')
    await inspect('palette')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/sessions')
    const end = page.getByRole('button', { name: /^End session/ }).first()
    await end.waitFor()
    await inspect('account-sessions')
    await end.click()
    await page.getByRole('alertdialog').getByRole('button', { name: /end/i }).click()
    await expect.poll(async () => (await ana.get('/api/auth/me')).status).toBe(401)

    const login = (given: string) => app.newcomer().post('/api/auth/login', { email: ana.email, password: given })
    const { body: other } = await login(password)
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByLabel('Current password').fill(password)
    await page.getByLabel('New password').fill('a wholly new passphrase')
    await page.getByRole('button', { name: 'Change password' }).click()
    const otherSession = () => app.newcomer().get('/api/auth/me', bearer(other.token))
    await expect.poll(async () => (await otherSession()).status).toBe(401)
    await page.getByRole('switch', { name: 'Login code' }).click()
    await expect.poll(async () => (await login('a wholly new passphrase')).body.otpRequired).toBe(true)
  })
})

describe.runIf(hasBrowser)('the shell', () => {
  it('lists in the help exactly the keys that work, each way to another page goes there, and an unknown one is named', async () => {
    const { page, inspect } = await signedIn('/chat')
    await page.getByRole('heading', { name: 'Chat' }).waitFor()
    await page.getByRole('main').focus()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    // The list and the message field add theirs when they are there, each by itself.
    await help.getByText('Rename chat').waitFor()
    await help.getByText('Send message').waitFor()
    const listedIn = (group: string) => help.getByRole('region', { name: group }).locator('dl > div').allInnerTexts()
    expect((await listedIn('In the list of chats')).map((text) => text.split('\n')[0])).toContain('Rename chat')
    expect((await listedIn('In the message field')).map((text) => text.split('\n')[0])).toContain('Send message')
    await inspect('keys')
    const ways = (await listedIn('On this page')).map((text) => text.split(/\s*\n\s*/)).filter((way) => way[1] === 'G')
    expect(ways.length).toBeGreaterThan(4)
    await page.keyboard.press('Escape')
    for (const [label = '', , key = ''] of ways) {
      const before = page.url()
      await help.waitFor({ state: 'detached' })
      await page.getByRole('main').focus()
      await page.keyboard.press('g')
      await page.keyboard.press(key.toLowerCase())
      if (label !== 'Chat') await page.waitForURL((url) => url.href !== before)
    }
    await goTo(page, '/no/such/page')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await inspect('not-found')
  })
})
