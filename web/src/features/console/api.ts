/** The platform console's calls. Lists keep the previous page on screen while the next one loads. */
import * as factors from '@chancery/contract/endpoints/factors/admins.ts'
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import * as sealsEndpoints from '@chancery/contract/endpoints/seals.ts'
import type { QuotaLimitsBody } from '@chancery/contract/organizations/quotas.ts'
import type {
  AdminAccount,
  HeldItem,
  UserDeletionBody,
  UserPatch,
  UserRow,
} from '@chancery/contract/platform/platform.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { connectionsQuery } from '#data/connections.ts'
import { loginProvidersQuery } from '#data/login-providers.ts'
import { companyLoginQuery } from '#data/organization.ts'
import { call, unchecked } from '#lib/http/call.ts'

export interface ListQuery {
  page?: number | undefined
  limit?: number
  search?: string | undefined
  sort?: string | undefined
}

export const pageLimit = 25

const paged = <T>(name: string, query: ListQuery, read: (query: ListQuery) => Promise<T>) => ({
  queryKey: ['console', name, query],
  queryFn: () => read(query),
  placeholderData: keepPreviousData,
})

export const useUsers = ({ limit = pageLimit, ...query }: ListQuery) =>
  useQuery(paged('users', { ...query, limit }, (query) => call(endpoints.listUsers, { query })))
export const useOrganizations = ({ limit = pageLimit, ...query }: ListQuery) =>
  useQuery(paged('organizations', { ...query, limit }, (query) => call(endpoints.listOrganizations, { query })))
export const useAdmins = ({ limit = pageLimit, ...query }: ListQuery) =>
  useQuery(paged('admins', { ...query, limit }, (query) => call(endpoints.listAdmins, { query })))
export const useOutbox = ({ limit = pageLimit, ...query }: ListQuery) =>
  useQuery(paged('outbox', { ...query, limit }, (query) => call(endpoints.listMails, { query })))

export const useHeldBack = (page: number) =>
  useQuery({
    queryKey: ['console', 'held-back', page],
    queryFn: () => call(endpoints.listHeldBack, { query: { page, limit: pageLimit } }),
    placeholderData: keepPreviousData,
  })

const countEveryMs = 60_000

/** Undefined until known. */
export const useHeldCount = (): number | undefined =>
  useQuery({
    queryKey: ['console', 'held-back', 'count'],
    queryFn: async () => (await call(endpoints.listHeldBack, { query: { limit: 1 } })).total,
    refetchInterval: countEveryMs,
  }).data

export const releaseHeldBack = ({ kind, id }: HeldItem) =>
  call(endpoints.releaseHeldBack, { params: { kind, work: id } })

export const deleteHeldBack = ({ kind, id }: HeldItem) => call(endpoints.deleteHeldBack, { params: { kind, work: id } })

export function useRefreshHeldBack() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['console', 'held-back'] })
}

export interface AuditSearch {
  page?: number
  search?: string
  area?: string
  person?: string
  from?: string
  to?: string
  sort?: string
}

export const useAudit = ({ page, limit = pageLimit, ...filter }: AuditSearch & { limit?: number }) =>
  useQuery({
    queryKey: ['console', 'audit', { page, limit, ...filter }],
    queryFn: () => call(endpoints.listAudit, { query: { page, limit, ...filter } }),
    placeholderData: keepPreviousData,
  })

export const auditExportUrl = ({ page: _, sort: __, ...filter }: AuditSearch) =>
  addressOf(endpoints.exportAudit, { query: filter })

export const useMail = (id: string) =>
  useQuery({
    queryKey: ['console', 'mail', id],
    queryFn: () => call(endpoints.getMail, { params: { id } }),
  })

const few = 6

/** By name and email. */
export const useFoundUsers = (search: string, isOn: boolean) => {
  const isAsked = isOn && search !== ''
  const { data } = useQuery({
    queryKey: ['console', 'found', search],
    queryFn: () => call(endpoints.listUsers, { query: { search, limit: few } }),
    placeholderData: keepPreviousData,
    enabled: isAsked,
  })
  return isAsked ? (data?.items ?? []) : []
}

export const useUser = (id: string) =>
  useQuery({ queryKey: ['console', 'users', 'one', id], queryFn: () => call(endpoints.getUser, { params: { id } }) })

export const useSignIns = (id: string, page: number) =>
  useQuery({
    queryKey: ['console', 'users', 'sign-ins', id, page],
    queryFn: () => call(endpoints.listSignIns, { params: { id }, query: { page, limit: pageLimit } }),
    placeholderData: keepPreviousData,
  })

export const useOrganizationDetail = (id: string) =>
  useQuery({
    queryKey: ['console', 'organizations', 'one', id],
    queryFn: () => call(endpoints.getOrganization, { params: { id } }),
  })

export function useEditOrganization(id: string) {
  const queryClient = useQueryClient()
  return async (patch: unknown) => {
    const detail = await call(endpoints.changeOrganization, { params: { id }, body: unchecked(patch) })
    await queryClient.invalidateQueries({ queryKey: ['console', 'organizations'] })
    return detail
  }
}

/** An organization, or everybody on a plan. */
export type QuotaSubject = { id: string } | { plan: string }

export const useQuotas = (subject: QuotaSubject) =>
  useQuery({
    queryKey: ['console', 'quotas', subject],
    queryFn: () =>
      'id' in subject
        ? call(endpoints.listQuotas, { params: subject })
        : call(endpoints.listPlanQuotas, { params: subject }),
  })

export function useSaveQuotas(subject: QuotaSubject) {
  const queryClient = useQueryClient()
  return async (body: QuotaLimitsBody) => {
    await ('id' in subject
      ? call(endpoints.saveQuotas, { params: subject, body })
      : call(endpoints.savePlanQuotas, { params: subject, body }))
    await queryClient.invalidateQueries({ queryKey: ['console', 'quotas'] })
  }
}

export const changeUser = ({ id }: UserRow, isActive: boolean) =>
  call(endpoints.changeUser, { params: { id }, body: { status: isActive ? 'ACTIVE' : 'DEACTIVATED' } })

export function useDeleteUser(id: string) {
  const queryClient = useQueryClient()
  return {
    remove: (body: z.input<typeof UserDeletionBody>) => call(endpoints.deleteUser, { params: { id }, body }),
    refresh: () => queryClient.invalidateQueries({ queryKey: ['console'] }),
  }
}

export function useChangeAddress(id: string) {
  const refresh = useRefreshUsers()
  return async (body: z.input<typeof UserPatch>) => {
    await call(endpoints.changeUser, { params: { id }, body })
    await refresh()
  }
}

export function useRefreshUsers() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['console', 'users'] })
}

export const changeAdmin = ({ id }: AdminAccount, isActive: boolean) =>
  call(endpoints.changeAdmin, { params: { id }, body: { active: isActive } })

export const resetAdminFactors = ({ id }: AdminAccount) => call(factors.resetFactors, { params: { id } })

export function useRefreshAdmins() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['console', 'admins'] })
}

export function useCreateAdmin() {
  const queryClient = useQueryClient()
  return async (body: unknown) => {
    const admin = await call(endpoints.createAdmin, { body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: ['console', 'admins'] })
    return admin
  }
}

/** What is set up already; undefined until known. */
export const useSetupFacts = () => ({
  connections: useQuery(connectionsQuery).data,
  companyLogin: useQuery(companyLoginQuery).data,
  providers: useQuery(loginProvidersQuery).data,
  certificate: useQuery({
    queryKey: ['console', 'certificate'],
    queryFn: () => call(sealsEndpoints.getSealCertificate),
  }).data,
})
