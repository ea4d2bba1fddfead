/** Models: those available for chat, and the records that customize or create them. */
import { CustomModelList, Model, ModelList } from '@chancery/contract/models.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { withQuery } from '#lib/http/with-query.ts'

const path = '/api/v1/models'
const all = ['models']

export const useModels = () =>
  useQuery({ queryKey: [...all, 'list'], queryFn: async () => (await api.get('/api/models', ModelList)).data })

/** The viewer's own records; for a platform admin, all records. */
export const useRecords = () =>
  useQuery({
    queryKey: [...all, 'records'],
    queryFn: async () => (await api.get(`${path}/custom`, CustomModelList)).items,
  })

export function useSaveModel(isNew: boolean, id: string | undefined) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<Model> => {
    const saved = isNew
      ? await api.post(`${path}/create`, body, Model)
      : await api.post(withQuery(`${path}/model/update`, { id }), body, Model)
    await queryClient.invalidateQueries({ queryKey: all })
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
    ? api.post(withQuery(`${path}/model/update`, { id }), { is_active: isActive }, Model)
    : api.post(`${path}/create`, { id, name, base_model_id: null, is_active: isActive }, Model)

export const deleteModel = ({ id }: { id: string }) => api.tell('DELETE', withQuery(`${path}/model/delete`, { id }))

export function useRefreshModels() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: all })
}
