/** The platform console's calls. Lists keep the previous page on screen while the next one loads. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import {
  type AdminAccount,
  AdminAccountList,
  OrganizationRowList,
  OutboxList,
  type UserRow,
  UserRowList,
} from '@chancery/contract/platform/platform.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { call, unchecked } from '#lib/http/call.ts'
import type { Schema } from '#lib/http/shape.ts'
import { withQuery } from '#lib/http/with-query.ts'

export interface ListQuery {
  page?: number | undefined
  limit?: number
  search?: string | undefined
  sort?: string | undefined
}

export const pageLimit = 25

const paths = {
  users: '/api/admin/users',
  organizations: '/api/admin/organizations',
  admins: '/api/admin/auth/accounts',
  audit: '/api/admin/audit',
  outbox: '/api/admin/outbox',
}

function useList<T>(name: keyof typeof paths, { page, limit = pageLimit, search, sort }: ListQuery, schema: Schema<T>) {
  return useQuery({
    queryKey: ['console', name, { page, limit, search, sort }],
    queryFn: () => api.get(withQuery(paths[name], { page, limit, search, sort }), schema),
    placeholderData: keepPreviousData,
  })
}

export const useUsers = (query: ListQuery) => useList('users', query, UserRowList)
export const useOrganizations = (query: ListQuery) => useList('organizations', query, OrganizationRowList)
export const useAdmins = (query: ListQuery) => useList('admins', query, AdminAccountList)
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
  withQuery(`${paths.audit}/export`, filter)
export const useOutbox = (query: ListQuery) => useList('outbox', query, OutboxList)

export const useMail = (id: string) =>
  useQuery({
    queryKey: ['console', 'mail', id],
    queryFn: () => call(endpoints.getMail, { params: { id } }),
  })

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

export const changeUser = ({ id }: UserRow, isActive: boolean) =>
  call(endpoints.changeUser, { params: { id }, body: { status: isActive ? 'ACTIVE' : 'DEACTIVATED' } })

export function useRefreshUsers() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['console', 'users'] })
}

export const changeAdmin = ({ id }: AdminAccount, isActive: boolean) =>
  call(endpoints.changeAdmin, { params: { id }, body: { active: isActive } })

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
