/** One approval: the context needed to decide, and the decision. */
import type { Approval } from '@chancery/contract/workflow-runs.ts'
import { Activity, Workflow } from 'lucide-react'
import { Badge } from '#ui/badge.tsx'
import { buttonLook } from '#ui/button.tsx'
import { HrefLink } from '#ui/href-link.tsx'
import { Time } from '#ui/time.tsx'
import { AnswerForm } from './answer-form.tsx'
import { Message } from './message.tsx'

interface ApprovalDetailProps {
  approval: Approval
  runHref: string
  workflowHref: string
}

export function ApprovalDetail({ approval, runHref, workflowHref }: ApprovalDetailProps) {
  const { title, message, workflow_name, asked_at, deadline_at, answer } = approval
  return (
    <article aria-label={title} className="flex flex-col gap-5 px-5 py-5 sm:px-8 sm:py-7">
      <header className="flex flex-col gap-2">
        <h2 className="text-pretty font-medium font-serif text-lg [overflow-wrap:anywhere]">{title}</h2>
        <p className="text-soft text-sm">
          Requested by “{workflow_name}” <Time at={asked_at} />
          {deadline_at !== null && answer === null && (
            <>
              {' · due '}
              <Time at={deadline_at} />
            </>
          )}
        </p>
      </header>
      {message.trim() !== '' && <Message text={message} />}
      <p className="flex flex-wrap gap-2">
        <HrefLink href={runHref} className={buttonLook('plain', 'small')}>
          <Activity aria-hidden className="size-3.5" /> View run
        </HrefLink>
        <HrefLink href={workflowHref} className={buttonLook('quiet', 'small')}>
          <Workflow aria-hidden className="size-3.5" /> View workflow
        </HrefLink>
      </p>
      <div className="border-t pt-5">
        {answer === null ? (
          <AnswerForm key={approval.step_id} approval={approval} hasKeys />
        ) : (
          <RunInput answer={answer} />
        )}
      </div>
    </article>
  )
}

const RunInput = ({ answer: { approved, comment, by, at } }: { answer: NonNullable<Approval['answer']> }) => (
  <div className="flex flex-col gap-2">
    <p className="flex flex-wrap items-center gap-2">
      <Badge tone={approved ? 'good' : 'bad'}>{approved ? 'Approved' : 'Rejected'}</Badge>
      <span>
        by {by} <Time at={at} />
      </span>
    </p>
    {comment !== '' && (
      <blockquote className="whitespace-pre-wrap border-l-2 pl-3 text-soft [overflow-wrap:anywhere]">
        {comment}
      </blockquote>
    )}
  </div>
)
