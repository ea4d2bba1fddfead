/** People of the viewer's organization, of whom there may be thousands: found by text, or named by ID. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import type { Member } from '@chancery/contract/organizations/team.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

/** Every list of people is below this key, so that one change refetches them all. */
export const teamKey = ['team']

/** How many one search shows; further text narrows it down. */
export const foundLimit = 50

export const findPeople = async (search: string, limit = foundLimit) => {
  const found = await call(endpoints.listTeam, { query: { search, limit, show: 'members' } })
  return { people: found.members, total: found.totals.members }
}

export const useFoundPeople = (search: string, { isOn = true } = {}) =>
  useQuery({
    queryKey: [...teamKey, 'found', search],
    queryFn: () => findPeople(search),
    placeholderData: keepPreviousData,
    enabled: isOn,
  })

/** An address with more would be too long for some proxies. */
const namedLimit = 100

export async function namePeople(ids: readonly string[]): Promise<Member[]> {
  const named: Member[] = []
  for (let from = 0; from < ids.length; from += namedLimit) {
    const part = ids.slice(from, from + namedLimit)
    named.push(...(await call(endpoints.listTeam, { query: { ids: part.join(','), show: 'members' } })).members)
  }
  return named
}

/** Those of the ids who are still there. */
export function useNamedPeople(ids: readonly string[], { isOn = true } = {}) {
  const wanted = [...new Set(ids)].sort()
  return useQuery({
    queryKey: [...teamKey, 'named', wanted],
    queryFn: () => namePeople(wanted),
    placeholderData: keepPreviousData,
    enabled: isOn && wanted.length > 0,
  })
}
