/** The totals of the range. */
import type { UsageReport } from '@chancery/contract/models/usage.ts'
import { formatNumber, formatShort } from '#lib/text/numbers.ts'
import { FigureGrid } from '#ui/values/figure-grid.tsx'

type Total = UsageReport['total']

const figures: readonly { label: string; of: (total: Total) => number }[] = [
  { label: 'Requests', of: ({ requests }) => requests },
  { label: 'Input tokens', of: ({ prompt_tokens }) => prompt_tokens },
  { label: 'Output tokens', of: ({ completion_tokens }) => completion_tokens },
  { label: 'Failed requests', of: ({ failures }) => failures },
]

export const Totals = ({ total }: { total: Total | undefined }) => (
  <FigureGrid
    figures={figures.map(({ label, of }) => ({
      label,
      value: total && formatShort(of(total)),
      exact: total && formatNumber(of(total)),
    }))}
  />
)
