/** The platform console, the platform's settings, and how the server is. */

import { ChangePasswordBody, SessionList } from '../accounts/accounts.ts'
import { del, get, patch, post, put } from '../endpoint.ts'
import { PageQuery } from '../lists.ts'
import { QuotaLimitsBody, QuotaList } from '../organizations/quotas.ts'
import { DeepCheckBody, Health, Readiness } from '../platform/health.ts'
import {
  AdminAccount,
  AdminAccountBody,
  AdminAccountList,
  AdminAccountPatch,
  AdminLoginBody,
  AdminLoginReply,
  AdminSignedIn,
  AuditFilter,
  AuditList,
  AuditQuery,
  GroupRow,
  GroupRowList,
  HeldList,
  HeldQuery,
  OrganizationDetail,
  OrganizationListQuery,
  OrganizationPatch,
  OrganizationRowList,
  OutboxList,
  OutboxMail,
  OutboxQuery,
  SetupBody,
  SignInHistory,
  SignInHistoryQuery,
  UserDeletionBody,
  UserListQuery,
  UserPatch,
  UserRow,
  UserRowList,
} from '../platform/platform.ts'
import { SettingList, SettingsBody } from '../platform/settings.ts'
import { Status, StatusQuery } from '../platform/status.ts'

export const checkDeeply = post('/api/v1/monitoring/deep-check', { body: DeepCheckBody, reply: 'raw' })
/** The API as OpenAPI describes it: what the caller may use of it. */
export const readApiDescription = get('/api/v1/openapi.json', { reply: 'raw' })
export const readMetrics = get('/metrics', { reply: 'raw' })
export const getReadiness = get('/ready', { reply: Readiness })
export const setUp = post('/api/admin/auth/setup', { body: SetupBody, reply: AdminSignedIn, status: 201 })
export const logIn = post('/api/admin/auth/login', { body: AdminLoginBody, reply: AdminLoginReply })
export const logOut = post('/api/admin/auth/logout')
export const listAdmins = get('/api/admin/auth/accounts', { query: PageQuery, reply: AdminAccountList })
export const createAdmin = post('/api/admin/auth/accounts', {
  body: AdminAccountBody,
  reply: AdminAccount,
  status: 201,
})
export const changeAdmin = patch('/api/admin/auth/accounts/:id', { body: AdminAccountPatch, reply: AdminAccount })
export const changePassword = post('/api/admin/auth/change-password', { body: ChangePasswordBody })
export const listSessions = get('/api/admin/auth/sessions', { reply: SessionList })
export const endSession = del('/api/admin/auth/sessions/:id')
export const listGroups = get('/api/admin/groups', { query: PageQuery, reply: GroupRowList })
export const getGroup = get('/api/admin/groups/:id', { reply: GroupRow })
export const listOrganizations = get('/api/admin/organizations', {
  query: OrganizationListQuery,
  reply: OrganizationRowList,
})
export const getOrganization = get('/api/admin/organizations/:id', { reply: OrganizationDetail })
export const listQuotas = get('/api/admin/organizations/:id/quotas', { reply: QuotaList })
export const saveQuotas = put('/api/admin/organizations/:id/quotas', { body: QuotaLimitsBody, reply: QuotaList })
export const listPlanQuotas = get('/api/admin/plans/:plan/quotas', { reply: QuotaList })
export const savePlanQuotas = put('/api/admin/plans/:plan/quotas', { body: QuotaLimitsBody, reply: QuotaList })
export const changeOrganization = patch('/api/admin/organizations/:id', {
  body: OrganizationPatch,
  reply: OrganizationDetail,
})
export const listUsers = get('/api/admin/users', { query: UserListQuery, reply: UserRowList })
export const getUser = get('/api/admin/users/:id', { reply: UserRow })
export const changeUser = patch('/api/admin/users/:id', { body: UserPatch, reply: UserRow })
export const deleteUser = del('/api/admin/users/:id', { body: UserDeletionBody })
export const listSignIns = get('/api/admin/users/:id/sign-ins', { query: SignInHistoryQuery, reply: SignInHistory })
export const listAudit = get('/api/admin/audit', { query: AuditQuery, reply: AuditList })
export const exportAudit = get('/api/admin/audit/export', { query: AuditFilter, reply: 'raw' })
export const listMails = get('/api/admin/outbox', { query: OutboxQuery, reply: OutboxList })
export const getMail = get('/api/admin/outbox/:id', { reply: OutboxMail })
export const getStatus = get('/api/admin/status', { query: StatusQuery, reply: Status })
export const listHeldBack = get('/api/admin/held-back', { query: HeldQuery, reply: HeldList })
export const releaseHeldBack = post('/api/admin/held-back/:kind/:work/release')
export const deleteHeldBack = del('/api/admin/held-back/:kind/:work')
export const getHealth = get('/health', { reply: Health })
export const getSettings = get('/api/v1/configs', { reply: SettingList })
export const changeSettings = post('/api/v1/configs', { body: SettingsBody, reply: SettingList })
