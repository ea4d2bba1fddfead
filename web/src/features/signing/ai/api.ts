/** Models that read documents: settings, questions and summaries. */

import * as modelsEndpoints from '@chancery/contract/endpoints/models.ts'
import * as signingEndpoints from '@chancery/contract/endpoints/signing.ts'
import { type AiSettings, AskReply, SummaryReply } from '@chancery/contract/signing-ai.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'
import { documentPath } from '../documents/api.ts'

const key = ['signing-ai'] as const

export const useAiSettings = () => useQuery({ queryKey: key, queryFn: () => call(signingEndpoints.getAiSettings) })

export const useModelIds = () =>
  useQuery({
    queryKey: ['models'],
    queryFn: async () => (await call(modelsEndpoints.listModels)).data,
    select: (models) => models.map(({ id, name }) => ({ id, name })),
  })

export function useChangeAiSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (settings: AiSettings) => call(signingEndpoints.setAiSettings, { body: settings }),
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
