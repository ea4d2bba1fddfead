import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'
import { startIdp } from '../peers/idp.ts'
import { hasBrowser, visit } from './browser.ts'
import { appPort } from './browser-app.ts'

/** A provider must know our address before we listen there. */
const port = await appPort()
const url = `http://127.0.0.1:${port}`
const idp = await startIdp({
  redirectUris: [`${url}/sso/callback`, `${url}/oauth/oidc/callback`],
  postLogoutRedirectUris: [`${url}/sign-in`],
})
afterAll(() => idp.close())
const app = await testApp({
  env: {
    PORT: String(port),
    SVC_URL: url,
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

  it('offers the OAuth provider by its name and makes an account for a newcomer', async () => {
    const person = idp.add({ email: 'newcomer@elsewhere.test' })
    const { page } = await visit(`${url}/sign-in`)
    await page.getByRole('link', { name: /Acme ID/ }).click()
    await page.locator('input[name=login]').fill(person.email)
    await page.locator('input[name=login]').press('Enter')
    await page.waitForURL(`${url}/home`)
  })
})
