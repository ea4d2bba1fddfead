/** Models that read documents: settings, questions and summaries. */
import * as endpoints from '@chancery/contract/endpoints/signing.ts'
import type { AiSettings } from '@chancery/contract/signing/ai.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'

const key = ['signing-ai'] as const

export const useAiSettings = () => useQuery({ queryKey: key, queryFn: () => call(endpoints.getAiSettings) })

export function useChangeAiSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (settings: AiSettings) => call(endpoints.setAiSettings, { body: settings }),
    onSuccess: (settings) => {
      queryClient.setQueryData(key, settings)
      toast.done(settings.enabled ? 'AI for documents is on' : 'AI for documents is off')
    },
    onError: toast.failed,
  })
}

export const useAsk = (id: string) =>
  useMutation({ mutationFn: (question: string) => call(endpoints.askDocument, { params: { id }, body: { question } }) })

export const useProposeSummary = (id: string) =>
  useMutation({
    mutationFn: () => call(endpoints.summarizeDocument, { params: { id } }),
    onError: toast.failed,
  })
