/** People, groups and organizations by name: the subjects of grants and limits. */

import { Organization } from '@chancery/contract/organizations.ts'
import {
  GroupRow,
  GroupRowList,
  OrganizationDetail,
  OrganizationRowList,
  UserRow,
  UserRowList,
} from '@chancery/contract/platform.ts'
import { UnitList } from '@chancery/contract/team.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { findPeople, namePeople } from '#lib/queries/people.ts'

export type PrincipalType = 'user' | 'group' | 'organization'

export interface Principal {
  type: PrincipalType
  id: string
  name: string
  /** Distinguishes two with the same name. */
  detail: string
}

/** Who is choosing: a platform admin, or a member of an organization. */
export type Circle = 'platform' | 'organization'

const few = 6

const peopleCount = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

async function findOnPlatform(search: string): Promise<Principal[]> {
  const [users, groups, organizations] = await Promise.all([
    api.get(withQuery('/api/admin/users', { search, limit: few }), UserRowList),
    api.get(withQuery('/api/admin/groups', { search, limit: few }), GroupRowList),
    api.get(withQuery('/api/admin/organizations', { search, limit: few }), OrganizationRowList),
  ])
  return [
    ...organizations.items.map(({ id, name, code }) => ({ type: 'organization' as const, id, name, detail: code })),
    ...groups.items.map(({ id, name, organization, memberCount }) => ({
      type: 'group' as const,
      id,
      name,
      detail: `${organization.name} · ${peopleCount(memberCount)}`,
    })),
    ...users.items.map(({ id, name, email }) => ({ type: 'user' as const, id, name, detail: email })),
  ]
}

/** The caller's organization and its groups. */
async function listUnits(): Promise<Principal[]> {
  const [organization, groups] = await Promise.all([
    api.get('/api/org/me', Organization),
    api.get('/api/org/groups', UnitList),
  ])
  return [
    { type: 'organization', id: organization.id, name: organization.name, detail: 'Everyone in it' },
    ...groups.items.map(({ id, name, memberIds }) => ({
      type: 'group' as const,
      id,
      name,
      detail: peopleCount(memberIds.length),
    })),
  ]
}

/** Only the caller's own organization can be read. */
async function findInOrganization(search: string): Promise<Principal[]> {
  const [units, { people }] = await Promise.all([listUnits(), findPeople(search)])
  return [
    ...units.filter(matches(search)),
    ...people.map(({ id, name, email }) => ({ type: 'user' as const, id, name, detail: email })),
  ]
}

const matches = (text: string) => {
  const wanted = text.toLowerCase()
  return ({ name, detail }: Principal) => `${name} ${detail}`.toLowerCase().includes(wanted)
}

export function useFoundPrincipals(circle: Circle, text: string) {
  const isPlatform = circle === 'platform'
  return useQuery({
    queryKey: ['principals', circle, text],
    queryFn: () => (isPlatform ? findOnPlatform(text) : findInOrganization(text)),
    placeholderData: keepPreviousData,
  })
}

async function nameOnPlatform({ type, id }: Pick<Principal, 'type' | 'id'>): Promise<string> {
  const address = encodeURIComponent(id)
  if (type === 'user') return (await api.get(`/api/admin/users/${address}`, UserRow)).name
  if (type === 'organization') return (await api.get(`/api/admin/organizations/${address}`, OrganizationDetail)).name
  const group = await api.get(`/api/admin/groups/${address}`, GroupRow)
  return `${group.name}, ${group.organization.name}`
}

async function nameInOrganization({ type, id }: Pick<Principal, 'type' | 'id'>): Promise<string> {
  const known =
    type === 'user'
      ? (await namePeople([id]))[0]
      : (await listUnits()).find((principal) => principal.id === id && principal.type === type)
  return known?.name ?? `${id.slice(0, 8)}…`
}

/** The name of a principal known only by its ID. */
export const usePrincipalName = (circle: Circle, principal: Pick<Principal, 'type' | 'id'>) =>
  useQuery({
    queryKey: ['principals', 'name', circle, principal.type, principal.id],
    queryFn: () => (circle === 'platform' ? nameOnPlatform(principal) : nameInOrganization(principal)),
    staleTime: 300_000,
  })
