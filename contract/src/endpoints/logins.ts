/** Signing in through a directory, an identity provider or the company's login. */

import { del, get, post, put } from '../endpoint.ts'
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
