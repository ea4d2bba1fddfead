/** Why a review step failed, usually because someone else was faster. */
import type { ApiError } from '#lib/problems/api-error.ts'
import { FormFailure } from '#ui/feedback/states.tsx'
import { stepErrorText } from './review-labels.ts'

export function StepError({ error }: { error: ApiError | undefined }) {
  const words = error && stepErrorText(error)
  if (words === undefined) return <FormFailure error={error} />
  return (
    <p role="alert" className="rounded-control border border-warn/40 bg-warn-wash px-3 py-2 text-sm">
      {words}
    </p>
  )
}
