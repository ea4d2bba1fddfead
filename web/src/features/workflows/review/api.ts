/** The review: submit, then publish or reject. */
import { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import { workflowKeys, workflowPath } from '../api.ts'

export type ReviewStep = 'submit' | 'approve' | 'reject'

/** Performs a step. Everything is refetched even after an error: someone else may have been faster. */
export function useReviewStep(id: string, step: ReviewStep) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<Workflow> => {
    try {
      return await api.post(`${workflowPath(id)}/${step}`, body, Workflow)
    } finally {
      await queryClient.invalidateQueries({ queryKey: workflowKeys.all })
    }
  }
}
