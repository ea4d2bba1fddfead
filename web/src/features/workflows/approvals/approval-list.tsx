/** The list of approvals: what is asked, by which workflow, and when. */
import type { Approval } from '@chancery/contract/workflows/runs.ts'
import { useEffect, useRef } from 'react'
import { HrefLink } from '#ui/button/href-link.tsx'
import { cx } from '#ui/class-names.ts'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { answerWord } from '../answers/api.ts'
import { useDelayedAnswer } from '../answers/delayed-answers.ts'

interface ApprovalListProps {
  items: readonly Approval[]
  openId: string | undefined
  hrefOf: (stepId: string) => string
}

export const ApprovalItems = ({ items, openId, hrefOf }: ApprovalListProps) => (
  <ul aria-label="Approvals" className="flex flex-col">
    {items.map((approval) => (
      <ApprovalRow
        key={approval.step_id}
        approval={approval}
        isOpen={approval.step_id === openId}
        href={hrefOf(approval.step_id)}
      />
    ))}
  </ul>
)

function ApprovalRow({ approval, isOpen, href }: { approval: Approval; isOpen: boolean; href: string }) {
  const elementRef = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) elementRef.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const { title, workflow_name, asked_at, answer, deadline_at } = approval
  const delayed = useDelayedAnswer(approval.step_id)
  const approved = (answer ?? delayed)?.approved
  return (
    <li ref={elementRef} className="border-b last:border-b-0">
      <HrefLink
        href={href}
        aria-current={isOpen ? 'true' : undefined}
        className={cx(
          'relative flex flex-col gap-1 px-4 py-3 focus-visible:outline-offset-[-2px]',
          isOpen
            ? 'bg-sunken before:absolute before:inset-y-2 before:left-0 before:w-0.75 before:rounded-r-full before:bg-seal'
            : 'hover:bg-sunken',
        )}
      >
        <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-faint text-sm">
          <span className="min-w-0 truncate">{workflow_name}</span>
          <span aria-hidden>·</span>
          <Time at={answer?.at ?? asked_at} />
          {approved !== undefined && <Badge tone={approved ? 'good' : 'bad'}>{answerWord(approved)}</Badge>}
          {approved === undefined && deadline_at !== null && <DeadlineHint at={deadline_at} />}
        </span>
      </HrefLink>
    </li>
  )
}

const DeadlineHint = ({ at }: { at: number }) => (
  <Badge tone="warn">
    due&nbsp;
    <Time at={at} />
  </Badge>
)
