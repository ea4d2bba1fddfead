/** Groups and departments: two endpoints with the same shape. */
import { unitEndpoints } from '@chancery/contract/endpoints/units.ts'
import type { Unit } from '@chancery/contract/organizations/team.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'

export type UnitKind = 'group' | 'department'

const keyOf = (kind: UnitKind) => ['units', kind]

export const useUnits = (kind: UnitKind) =>
  useQuery({ queryKey: keyOf(kind), queryFn: () => call(unitEndpoints(kind).list) })

/** Creates one, or updates the one with this ID. */
export function useSaveUnit(kind: UnitKind, id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<Unit> => {
    const saved =
      id === undefined
        ? await call(unitEndpoints(kind).create, { body: unchecked(body) })
        : await call(unitEndpoints(kind).change, { params: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: keyOf(kind) })
    return saved
  }
}

export const deleteUnit = (kind: UnitKind, { id }: Unit) => call(unitEndpoints(kind).remove, { params: { id } })

export function useRefreshUnits(kind: UnitKind) {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keyOf(kind) })
}
