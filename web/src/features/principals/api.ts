/** People, groups and organizations by name: the subjects of grants and limits. */

import * as platformEndpoints from '@chancery/contract/endpoints/platform.ts'
import { unitEndpoints } from '@chancery/contract/endpoints/units.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { loadOrganization } from '#data/organization.ts'
import { findPeople, namePeople } from '#data/people.ts'
import { call } from '#lib/http/call.ts'

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
    call(platformEndpoints.listUsers, { query: { search, limit: few } }),
    call(platformEndpoints.listGroups, { query: { search, limit: few } }),
    call(platformEndpoints.listOrganizations, { query: { search, limit: few } }),
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
  const [organization, groups] = await Promise.all([loadOrganization(), call(unitEndpoints('group').list)])
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
  if (type === 'user') return (await call(platformEndpoints.getUser, { params: { id: address } })).name
  if (type === 'organization') return (await call(platformEndpoints.getOrganization, { params: { id: address } })).name
  const group = await call(platformEndpoints.getGroup, { params: { id: address } })
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
