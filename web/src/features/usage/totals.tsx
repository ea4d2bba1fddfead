/** The totals of the range. */
import type { UsageReport } from '@chancery/contract/models/usage.ts'
import { Skeleton } from '#ui/feedback/states.tsx'
import { formatNumber, formatShort } from './figures.ts'

type Total = UsageReport['total']

const figures: readonly { label: string; of: (total: Total) => number }[] = [
  { label: 'Requests', of: ({ requests }) => requests },
  { label: 'Input tokens', of: ({ prompt_tokens }) => prompt_tokens },
  { label: 'Output tokens', of: ({ completion_tokens }) => completion_tokens },
  { label: 'Failed requests', of: ({ failures }) => failures },
]

export const Totals = ({ total }: { total: Total | undefined }) => (
  <dl className="grid grid-cols-2 overflow-hidden rounded-panel border bg-surface lg:grid-cols-4">
    {figures.map(({ label, of }) => (
      <div key={label} className="-mt-px -ml-px border-t border-l px-5 py-4">
        <dt className="text-soft text-sm">{label}</dt>
        <dd className="figures mt-1 font-serif text-xl" title={total && formatNumber(of(total))}>
          {total === undefined ? <Skeleton className="h-7 w-16" /> : formatShort(of(total))}
        </dd>
      </div>
    ))}
  </dl>
)
