/** The approvals inbox: what is waiting, or what was answered. Fully usable with the keyboard. */
import type { Approval } from '@chancery/contract/workflows/runs.ts'
import { useEffect, useMemo } from 'react'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Kbd } from '#ui/button/kbd.tsx'
import { cx } from '#ui/class-names.ts'
import { Empty, ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { type ApprovalState, approvalsOnPage, useApprovals } from '../answers/api.ts'
import { ApprovalDetail } from './approval-detail.tsx'
import { ApprovalItems } from './approval-list.tsx'

interface InboxProps {
  state: ApprovalState
  page: number
  openId: string | undefined
  onState: (state: ApprovalState) => void
  onPage: (page: number) => void
  onOpen: (stepId: string) => void
  hrefOf: (stepId: string) => string
  runHref: (workflowId: string, runId: string) => string
  workflowHref: (workflowId: string) => string
}

const states = [
  { value: 'open', label: 'Open' },
  { value: 'answered', label: 'Answered' },
] as const

export function ApprovalsInbox(props: InboxProps) {
  const { state, page, onState, onPage } = props
  const approvals = useApprovals(state, page)
  const isEmpty = approvals.data?.items.length === 0
  return (
    <section aria-label="Approvals" className="rounded-panel border bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-3">
        <Segmented legend="Show approvals" name="state" value={state} options={states} onChange={onState} />
        <p className="flex items-center gap-2 text-faint text-sm max-sm:hidden">
          <Kbd keys="j k" /> to move
        </p>
      </div>
      {(approvals.isPending || (isEmpty && approvals.isPlaceholderData)) && <InboxSkeleton />}
      {approvals.isError && (
        <div className="p-5">
          <ErrorPanel error={approvals.error} onRetry={approvals.refetch} />
        </div>
      )}
      {isEmpty && !approvals.isPlaceholderData && <Nothing state={state} />}
      {approvals.data && !isEmpty && (
        <Questions {...props} items={approvals.data.items} isOutgoing={approvals.isPlaceholderData} />
      )}
      {approvals.data && <Pager page={page} limit={approvalsOnPage} total={approvals.data.total} onPage={onPage} />}
    </section>
  )
}

interface QuestionsProps extends InboxProps {
  items: readonly Approval[]
  /** Placeholder data from the previous filter or page, shown until the new data arrives. */
  isOutgoing: boolean
}

function Questions({ items, isOutgoing, openId, onOpen, hrefOf, runHref, workflowHref }: QuestionsProps) {
  const index = items.findIndex(({ step_id }) => step_id === openId)
  const shown = items[index]
  const first = items[0]?.step_id
  // One approval is always selected by ID: the list can change while someone reads, and a key must never answer a
  // different approval than the one on screen.
  useEffect(() => {
    if (!isOutgoing && openId === undefined && first !== undefined) onOpen(first)
  }, [isOutgoing, openId, first, onOpen])
  useShortcuts(
    useMemo(() => {
      if (isOutgoing) return []
      const go = (by: number) => {
        const next = items[Math.min(items.length - 1, Math.max(0, index + by))]
        if (next) onOpen(next.step_id)
      }
      return [
        { keys: 'j', label: 'Next approval', run: () => go(1) },
        { keys: 'k', label: 'Previous approval', run: () => go(-1) },
      ]
    }, [items, isOutgoing, index, onOpen]),
  )
  return (
    <div
      inert={isOutgoing}
      aria-busy={isOutgoing}
      className={cx('grid lg:grid-cols-[20rem_1fr]', isOutgoing && 'opacity-60')}
    >
      <div className="max-h-[70dvh] overflow-y-auto max-lg:max-h-64 max-lg:border-b lg:border-r">
        <ApprovalItems items={items} openId={shown?.step_id} hrefOf={hrefOf} />
      </div>
      {shown ? (
        <ApprovalDetail
          approval={shown}
          runHref={runHref(shown.workflow_id, shown.run_id)}
          workflowHref={workflowHref(shown.workflow_id)}
        />
      ) : (
        openId !== undefined &&
        !isOutgoing && (
          <Empty
            title="This approval is closed"
            hint="It has been answered or has expired. Choose another one, or press j."
          />
        )
      )}
    </div>
  )
}

const Nothing = ({ state }: { state: ApprovalState }) =>
  state === 'open' ? (
    <Empty title="You’re all caught up" hint="When a run needs your approval, you’ll see it here and get an email." />
  ) : (
    <Empty title="No answered approvals yet" hint="Approvals that you and others have answered appear here." />
  )

const InboxSkeleton = () => (
  <Loading label="Loading approvals">
    <div className="grid gap-6 p-4 lg:grid-cols-[20rem_1fr]">
      <div className="flex flex-col gap-5">
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="flex flex-col gap-2">
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-3 w-1/2" />
          </div>
        ))}
      </div>
      <div className="flex flex-col gap-4 max-lg:hidden">
        <Skeleton className="h-7 w-2/3" />
        <Skeleton className="h-24 w-full" />
      </div>
    </div>
  </Loading>
)
