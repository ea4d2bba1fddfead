/** Models that read documents: settings, questions and summaries. */

import { ModelList } from '@chancery/contract/models.ts'
import {
  type AiSettings,
  AiSettings as AiSettingsReply,
  AskReply,
  SummaryReply,
} from '@chancery/contract/signing-ai.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { toast } from '#ui/feedback/toast.ts'
import { documentPath } from '../documents/api.ts'

const path = '/api/signing/ai'
const key = ['signing-ai'] as const

export const useAiSettings = () => useQuery({ queryKey: key, queryFn: () => api.get(path, AiSettingsReply) })

export const useModelIds = () =>
  useQuery({
    queryKey: ['models'],
    queryFn: async () => (await api.get('/api/models', ModelList)).data,
    select: (models) => models.map(({ id, name }) => ({ id, name })),
  })

export function useChangeAiSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (settings: AiSettings) => api.put(path, settings, AiSettingsReply),
    onSuccess: (settings) => {
      queryClient.setQueryData(key, settings)
      toast.done(settings.enabled ? 'AI for documents is on' : 'AI for documents is off')
    },
    onError: toast.failed,
  })
}

export const useAsk = (id: string) =>
  useMutation({ mutationFn: (question: string) => api.post(`${documentPath(id)}/ask`, { question }, AskReply) })

export const useProposeSummary = (id: string) =>
  useMutation({
    mutationFn: () => api.post(`${documentPath(id)}/summary`, undefined, SummaryReply),
    onError: toast.failed,
  })
