/** Groups and departments: two endpoints with the same shape. */
import { Unit, UnitList } from '@chancery/contract/team.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'

export type UnitKind = 'group' | 'department'

const pathOf = (kind: UnitKind) => `/api/org/${kind}s`
const keyOf = (kind: UnitKind) => ['units', kind]

export const useUnits = (kind: UnitKind) =>
  useQuery({ queryKey: keyOf(kind), queryFn: () => api.get(pathOf(kind), UnitList) })

/** Creates one, or updates the one with this ID. */
export function useSaveUnit(kind: UnitKind, id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<Unit> => {
    const saved =
      id === undefined
        ? await api.post(pathOf(kind), body, Unit)
        : await api.patch(`${pathOf(kind)}/${encodeURIComponent(id)}`, body, Unit)
    await queryClient.invalidateQueries({ queryKey: keyOf(kind) })
    return saved
  }
}

export const deleteUnit = (kind: UnitKind, { id }: Unit) => api.tell('DELETE', `${pathOf(kind)}/${id}`)

export function useRefreshUnits(kind: UnitKind) {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: keyOf(kind) })
}
