/** One approval: what is asked, the decision, and below it the context, which may be long. */
import type { Approval } from '@chancery/contract/workflows/runs.ts'
import { useQuery } from '@tanstack/react-query'
import { Activity, Workflow } from 'lucide-react'
import { formatJson } from '#lib/text/json-summary.ts'
import { buttonLook } from '#ui/button/button.tsx'
import { HrefLink } from '#ui/button/href-link.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { Time } from '#ui/values/time.tsx'
import { AnswerForm } from '../answers/answer-form.tsx'
import { answerWord } from '../answers/api.ts'
import { Message } from '../answers/message.tsx'
import { runQuery } from '../runs/api.ts'
import { runInput } from '../runs/run-input.ts'

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
      <div className="border-y py-5">
        {answer === null ? (
          <AnswerForm key={approval.step_id} approval={approval} hasKeys />
        ) : (
          <Answered answer={answer} />
        )}
      </div>
      <RunContext key={approval.step_id} approval={approval} />
      <p className="flex flex-wrap gap-2">
        <HrefLink href={runHref} className={buttonLook('plain', 'small')}>
          <Activity aria-hidden className="size-3.5" /> View run
        </HrefLink>
        <HrefLink href={workflowHref} className={buttonLook('quiet', 'small')}>
          <Workflow aria-hidden className="size-3.5" /> View workflow
        </HrefLink>
      </p>
    </article>
  )
}

/**
 * Shows the run's trigger and the result of the node before: a decision shouldn't need another page. The run of an
 * answered approval may be deleted; then there is nothing to show.
 */
function RunContext({ approval: { run_id, step_id } }: { approval: Approval }) {
  const { data: run } = useQuery({ ...runQuery(run_id), retry: false })
  if (!run) return null
  const started = runInput(run)
  const before = run.steps.find(({ id }) => id === step_id)?.input
  const isSame = formatJson(before) === formatJson(started.value)
  return (
    <div className="flex flex-col gap-4">
      {started.value !== null && started.value !== undefined && <JsonView {...started} />}
      {before !== null && before !== undefined && !isSame && (
        <JsonView label="Output of the node before" value={before} />
      )}
    </div>
  )
}

const Answered = ({ answer: { approved, comment, by, at } }: { answer: NonNullable<Approval['answer']> }) => (
  <div className="flex flex-col gap-2">
    <p className="flex flex-wrap items-center gap-2">
      <Badge tone={approved ? 'good' : 'bad'}>{answerWord(approved)}</Badge>
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
