/** Signing in through a directory, an identity provider or the company's login. */

import { del, get, patch, post, put } from '../endpoint.ts'
import {
  IdentityProvider,
  IdentityProviderBody,
  IdentityProviderList,
  IdentityProviderPatch,
  ProviderTest,
} from '../organizations/identity-providers.ts'
import { LdapSettings, LdapSettingsBody, LdapTestBody, LdapTestResult } from '../organizations/ldap.ts'
import {
  BackchannelLogoutForm,
  SsoCallbackQuery,
  SsoConfig,
  SsoStartQuery,
  SyncBody,
  SyncReport,
  SyncReportList,
} from '../organizations/sso.ts'

export const getLdap = get('/api/org/ldap', { reply: LdapSettings })
export const setLdap = put('/api/org/ldap', { body: LdapSettingsBody, reply: LdapSettings })
export const removeLdap = del('/api/org/ldap')
export const testLdap = post('/api/org/ldap/test', { body: LdapTestBody, reply: LdapTestResult })
export const startProviderLogin = get('/oauth/:provider/login', { reply: 'redirect' })
export const finishProviderLogin = get('/oauth/:provider/callback', { reply: 'redirect' })
export const getCompanyLogin = get('/sso/config', { reply: SsoConfig })
export const startCompanyLogin = get('/sso/idp', { query: SsoStartQuery, reply: 'redirect' })
export const finishCompanyLogin = get('/sso/callback', { query: SsoCallbackQuery, reply: 'redirect' })
export const leaveCompanyLogin = get('/sso/logout', { reply: 'redirect' })
export const endCompanySessions = post('/sso/backchannel-logout', { body: BackchannelLogoutForm, status: 200 })
export const getDirectorySync = get('/api/org/sso/sync', { reply: SyncReportList })
export const syncDirectory = post('/api/org/sso/sync', { body: SyncBody, reply: SyncReport, status: 202 })

export const listIdentityProviders = get('/api/org/identity-providers', { reply: IdentityProviderList })
export const createIdentityProvider = post('/api/org/identity-providers', {
  body: IdentityProviderBody,
  reply: IdentityProvider,
  status: 201,
})
export const getIdentityProvider = get('/api/org/identity-providers/:id', { reply: IdentityProvider })
export const changeIdentityProvider = patch('/api/org/identity-providers/:id', {
  body: IdentityProviderPatch,
  reply: IdentityProvider,
})
export const removeIdentityProvider = del('/api/org/identity-providers/:id')
export const testIdentityProvider = post('/api/org/identity-providers/:id/test', { reply: ProviderTest, status: 200 })
export const startOwnLogin = get('/sso/oidc/:id/start', { query: SsoStartQuery, reply: 'redirect' })
export const finishOwnLogin = get('/sso/oidc/:id/callback', { query: SsoCallbackQuery, reply: 'redirect' })
