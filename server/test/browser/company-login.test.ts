import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'
import { startIdp } from '../peers/idp.ts'
import { hasBrowser, visit } from './browser.ts'
import { appPort } from './browser-app.ts'

/** A provider must know our address before we listen there. */
const port = await appPort()
const url = `http://127.0.0.1:${port}`
const idp = await startIdp({
  allowsRedirect: /\/(sso|oauth)\/([^?#]*\/)?callback$/,
  postLogoutRedirectUris: [`${url}/sign-in`],
})
afterAll(() => idp.close())
const app = await testApp({
  env: {
    PORT: String(port),
    SVC_URL: url,
    OUTBOUND_ALLOWED_HOSTS: new URL(idp.origin).host,
    IDP_ISSUER_URI: idp.issuer,
    IDP_CLIENT_ID: idp.clientId,
    IDP_CLIENT_SECRET: idp.clientSecret,
    IDP_SSO_CALLBACK_URL: `${url}/sso/callback`,
    IDP_SSO_COOKIE_SECURE: 'false',
    SVC_SESSION_COOKIE_SECURE: 'false',
    OAUTH_CLIENT_ID: idp.clientId,
    OAUTH_CLIENT_SECRET: idp.clientSecret,
    OPENID_PROVIDER_URL: `${idp.issuer}/.well-known/openid-configuration`,
    OAUTH_PROVIDER_NAME: 'Acme ID',
    ENABLE_OAUTH_SIGNUP: 'true',
  },
})

describe.runIf(hasBrowser)('signing in elsewhere', () => {
  it('leads from the address to the company login and back to the page one wanted', async () => {
    const owner = await app.platformOwner()
    const admin = await app.user({ org: 'Acme', email: 'admin@acme.test' })
    await owner.patch(`/api/admin/organizations/${admin.organizationId}`, { domains: ['acme.test'] })
    await admin.patch('/api/org/settings', { authProvider: 'SSO' })
    const person = idp.add({ email: 'person@acme.test' })

    const { page, inspect } = await visit(`${url}/sign-in?return_to=${encodeURIComponent('/account/sessions')}`)
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    const onward = page.getByRole('link', { name: 'Continue with company login' })
    await onward.waitFor()
    await page.getByRole('link', { name: /Acme ID/ }).waitFor()
    await inspect('sign-in-company')
    await onward.click()
    await page.locator('input[name=login]').fill(person.email)
    await page.locator('input[name=login]').press('Enter')
    await page.waitForURL(`${url}/account/sessions`)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in|\/logout/)
    expect((await page.context().cookies(url)).some(({ name }) => name === 'token')).toBe(false)
  })

  it('is set up by an administrator for their own provider, tried, and leaves passwords as they are', async () => {
    const owner = await app.platformOwner()
    const domain = `globex-${app.unknownId().slice(-6)}.test`
    const admin = await app.user({ org: domain })
    await owner.patch(`/api/admin/organizations/${admin.organizationId}`, { domains: [domain] })
    await admin.post('/api/org/groups', { name: 'Sales' })
    const { page, inspect } = await visit(`${url}/organization/sign-in`, { as: admin })
    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add identity provider' })
    await dialog.getByRole('button', { name: 'Save provider' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Globex ID')
    await dialog.getByLabel('Issuer').fill(idp.issuer)
    await dialog.getByLabel('Client ID').fill(idp.clientId)
    await dialog.getByLabel('Client secret').fill(idp.clientSecret)
    await dialog.getByRole('button', { name: 'Add group' }).click()
    await dialog.getByLabel('Value', { exact: true }).fill('dep-sales')
    await inspect('identity-provider-dialog')
    await dialog.getByRole('button', { name: 'Save provider' }).click()
    const panel = page.getByRole('region', { name: 'Globex ID' })
    await panel.getByRole('button', { name: 'Test' }).click()
    await panel.getByText('The provider answers.').waitFor()
    await inspect('identity-providers')

    const person = idp.add({ email: `person@${domain}` })
    const { page: tab, inspect: look } = await visit(`${url}/sign-in`)
    await tab.getByLabel('Email').fill(person.email)
    await tab.getByRole('button', { name: 'Continue', exact: true }).click()
    await tab.getByRole('button', { name: 'Use a password instead' }).waitFor()
    await look('sign-in-own-provider')
    await tab.getByRole('link', { name: 'Continue with company login' }).click()
    await tab.locator('input[name=login]').fill(person.email)
    await tab.locator('input[name=login]').press('Enter')
    await tab.waitForURL(`${url}/home`)
  })

  it('offers the OAuth provider by its name and makes an account for a newcomer', async () => {
    const person = idp.add({ email: 'newcomer@elsewhere.test' })
    const { page } = await visit(`${url}/sign-in`)
    await page.getByRole('link', { name: /Acme ID/ }).click()
    await page.locator('input[name=login]').fill(person.email)
    await page.locator('input[name=login]').press('Enter')
    await page.waitForURL(`${url}/home`)
  })
})
