/** Models: those available for chat, and the records that customize or create them. */
import * as endpoints from '@chancery/contract/endpoints/models.ts'
import type { Model } from '@chancery/contract/models/models.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { modelsKey } from '#data/models.ts'
import { call, unchecked } from '#lib/http/call.ts'

/** The viewer's own records; for a platform admin, all records. */
export const useRecords = () =>
  useQuery({
    queryKey: [...modelsKey, 'records'],
    queryFn: async () => (await call(endpoints.listCustomModels)).items,
  })

export function useSaveModel(isNew: boolean, id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<Model> => {
    const saved = isNew
      ? await call(endpoints.createModel, { body: unchecked(body) })
      : await call(endpoints.updateModel, { query: { id }, body: unchecked(body) })
    await queryClient.invalidateQueries({ queryKey: modelsKey })
    return saved
  }
}

interface Switched {
  id: string
  name: string
  hasRecord: boolean
}

export const switchModel = ({ id, name, hasRecord }: Switched, isActive: boolean) =>
  hasRecord
    ? call(endpoints.updateModel, { query: { id }, body: { is_active: isActive } })
    : call(endpoints.createModel, { body: { id, name, base_model_id: null, is_active: isActive } })

export const deleteModel = ({ id }: { id: string }) => call(endpoints.deleteModel, { query: { id } })

export function useRefreshModels() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: modelsKey })
}
