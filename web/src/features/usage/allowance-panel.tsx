/** The viewer's remaining allowance, today and this month. */
import type { Allowance } from '@chancery/contract/models/usage.ts'
import type { z } from 'zod'
import { formatNumber } from '#lib/text/numbers.ts'
import { Meter } from '#ui/feedback/meter.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useAllowance } from './api.ts'

type Spent = z.infer<typeof Allowance>['tokens_today']

export function AllowancePanel() {
  const allowance = useAllowance()
  return (
    <Panel
      title="Your allowance"
      hint="Tokens across all your chats and API keys. Days and months start at midnight UTC."
    >
      {allowance.isPending && (
        <Loading label="Loading your allowance">
          <div className="grid gap-6 sm:grid-cols-2">
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
          </div>
        </Loading>
      )}
      {allowance.isError && <ErrorPanel error={allowance.error} onRetry={allowance.refetch} />}
      {allowance.data && (
        <>
          <div className="grid gap-6 sm:grid-cols-2">
            <Spending label="Today" spent={allowance.data.tokens_today} />
            <Spending label="This month" spent={allowance.data.tokens_this_month} />
          </div>
          {allowance.data.requests_per_minute !== null && (
            <p className="mt-5 border-t pt-4 text-soft text-sm">
              Up to <b className="figures text-ink">{formatNumber(allowance.data.requests_per_minute)}</b> requests per
              minute.
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

const Spending = ({ label, spent: { used, limit } }: { label: string; spent: Spent }) =>
  limit === null ? (
    <div className="flex items-baseline justify-between gap-4">
      <span className="font-medium">{label}</span>
      <span className="figures text-soft text-sm">{formatNumber(used)} · no limit</span>
    </div>
  ) : (
    <Meter label={label} used={used} limit={limit} words={`${formatNumber(used)} of ${formatNumber(limit)}`} />
  )
