/** The platform console's calls. Lists keep the previous page on screen while the next one loads. */
import {
  AdminAccount,
  AdminAccountList,
  AuditList,
  OrganizationDetail,
  OrganizationRowList,
  OutboxList,
  OutboxMail,
  SignInHistory,
  UserRow,
  UserRowList,
} from '@chancery/contract/platform.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
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
    queryFn: () => api.get(withQuery(paths.audit, { page, limit, ...filter }), AuditList),
    placeholderData: keepPreviousData,
  })

export const auditExportUrl = ({ page: _, sort: __, ...filter }: AuditSearch) =>
  withQuery(`${paths.audit}/export`, filter)
export const useOutbox = (query: ListQuery) => useList('outbox', query, OutboxList)

export const useMail = (id: string) =>
  useQuery({
    queryKey: ['console', 'mail', id],
    queryFn: () => api.get(`${paths.outbox}/${encodeURIComponent(id)}`, OutboxMail),
  })

const one = (name: 'users' | 'organizations', id: string) => `${paths[name]}/${encodeURIComponent(id)}`

export const useUser = (id: string) =>
  useQuery({ queryKey: ['console', 'users', 'one', id], queryFn: () => api.get(one('users', id), UserRow) })

export const useSignIns = (id: string, page: number) =>
  useQuery({
    queryKey: ['console', 'users', 'sign-ins', id, page],
    queryFn: () => api.get(withQuery(`${one('users', id)}/sign-ins`, { page, limit: pageLimit }), SignInHistory),
    placeholderData: keepPreviousData,
  })

export const useOrganizationDetail = (id: string) =>
  useQuery({
    queryKey: ['console', 'organizations', 'one', id],
    queryFn: () => api.get(one('organizations', id), OrganizationDetail),
  })

export function useEditOrganization(id: string) {
  const queryClient = useQueryClient()
  return async (patch: unknown) => {
    const detail = await api.patch(one('organizations', id), patch, OrganizationDetail)
    await queryClient.invalidateQueries({ queryKey: ['console', 'organizations'] })
    return detail
  }
}

export const userPath = (id: string) => `${paths.users}/${encodeURIComponent(id)}`

export const changeUser = ({ id }: UserRow, isActive: boolean) =>
  api.patch(`${paths.users}/${id}`, { status: isActive ? 'ACTIVE' : 'DEACTIVATED' }, UserRow)

export function useRefreshUsers() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['console', 'users'] })
}

export const changeAdmin = ({ id }: AdminAccount, isActive: boolean) =>
  api.patch(`${paths.admins}/${id}`, { active: isActive }, AdminAccount)

export function useRefreshAdmins() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['console', 'admins'] })
}

export function useCreateAdmin() {
  const queryClient = useQueryClient()
  return async (body: unknown) => {
    const admin = await api.post(paths.admins, body, AdminAccount)
    await queryClient.invalidateQueries({ queryKey: ['console', 'admins'] })
    return admin
  }
}
