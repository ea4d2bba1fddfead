/** Says how many documents can still be sent this month, once few are left. */
import { formatDay } from '#lib/time/times.ts'
import { useQuota } from './api.ts'

const little = 0.8

export function QuotaNote() {
  const { data } = useQuota()
  if (data === undefined || data.documents.used < data.documents.limit * little) return null
  const { used, limit, resetsAt } = data.documents
  return (
    <p role="status" className="rounded-panel bg-warn-wash px-5 py-3 text-warn">
      {used >= limit
        ? `You’ve sent all ${limit} documents of this month.`
        : `You’ve sent ${used} of ${limit} documents this month.`}{' '}
      The count starts again on {formatDay(new Date(resetsAt))}.
    </p>
  )
}
