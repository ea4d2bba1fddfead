/** The review: submitted, then published or handed back. */
import { Workflow } from '@chancery/contract/workflows.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { workflowKeys, workflowPath } from '../api.ts'

export type ReviewStep = 'submit' | 'approve' | 'reject'

/** Takes a step. Also where it is refused all is read anew: somebody else may have been quicker. */
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
