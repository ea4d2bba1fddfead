/** The review: submit, then publish or reject. */
import * as endpoints from '@chancery/contract/endpoints/workflows.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, unchecked } from '#lib/http/call.ts'
import { toast } from '#ui/feedback/toast.ts'
import { workflowKeys } from '../api.ts'

const steps = {
  submit: endpoints.submitWorkflow,
  approve: endpoints.approveWorkflow,
  reject: endpoints.rejectWorkflow,
}
export type ReviewStep = keyof typeof steps

/** Performs a step. Everything is refetched even after an error: someone else may have been faster. */
export function useReviewStep(id: string, step: ReviewStep) {
  const queryClient = useQueryClient()
  return async (body: unknown): Promise<Workflow> => {
    try {
      return await call(steps[step], { params: { id }, body: unchecked(body) })
    } finally {
      await queryClient.invalidateQueries({ queryKey: workflowKeys.all })
    }
  }
}

/** On whose behalf triggered runs act; null is the owner. */
export function useChangeRunAs(id: string, onChanged: (person: Workflow['run_as']) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (user_id: string | null) => call(endpoints.setRunAs, { params: { id }, body: { user_id } }),
    onSuccess: ({ run_as }) => onChanged(run_as),
    onError: toast.failed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: workflowKeys.all }),
  })
}
