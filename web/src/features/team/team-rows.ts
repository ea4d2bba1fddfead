/** The rows of one of the two lists, for a table. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { useTeam } from './api.ts'

type TeamQuery = ReturnType<typeof useTeam>
type Team = NonNullable<TeamQuery['data']>

export function rowsOf<Row>(query: TeamQuery, pick: (team: Team) => Row[]) {
  const items = query.data === undefined ? undefined : pick(query.data)
  const data = items && { items, total: items.length }
  return { ...query, data } as UseQueryResult<{ items: Row[]; total: number }>
}
