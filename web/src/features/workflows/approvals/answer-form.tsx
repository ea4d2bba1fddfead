/** Approve or reject a pending approval, with an optional comment. */
import type { Approval } from '@chancery/contract/workflow-runs.ts'
import { Check, X } from 'lucide-react'
import { useCallback, useId, useMemo, useState } from 'react'
import { useShortcuts } from '#lib/keyboard.ts'
import { Button } from '#ui/button.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { useAnswer } from './api.ts'

interface AnswerFormProps {
  approval: Approval
  /** Whether single-key shortcuts work: only where the approval is the main content of the page. */
  hasKeys?: boolean
}

const commentLook =
  'w-full rounded-control border border-b-rule bg-surface px-3 py-2 text-md focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15 sm:text-base'

export function AnswerForm({ approval, hasKeys = false }: AnswerFormProps) {
  const id = useId()
  const [comment, setComment] = useState('')
  const answer = useAnswer()
  const { mutate, isPending } = answer
  const send = useCallback(
    (approved: boolean) => {
      if (!isPending) mutate({ approval, approved, comment: comment.trim() })
    },
    [approval, comment, isPending, mutate],
  )
  useShortcuts(
    useMemo(
      () =>
        hasKeys
          ? [
              { keys: 'a', label: 'Approve', run: () => send(true) },
              { keys: 'r', label: 'Reject', run: () => send(false) },
            ]
          : [],
      [hasKeys, send],
    ),
  )
  const isBusy = (approved: boolean) => isPending && answer.variables.approved === approved
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium text-sm">
          Comment <span className="ml-1 font-normal text-faint">optional, saved with the run</span>
        </label>
        <textarea
          id={id}
          rows={2}
          maxLength={5000}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
          className={commentLook}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" icon={Check} isPending={isBusy(true)} onClick={() => send(true)}>
          Approve {hasKeys && <KeyHint keys="a" />}
        </Button>
        <Button icon={X} isPending={isBusy(false)} onClick={() => send(false)}>
          Reject {hasKeys && <KeyHint keys="r" />}
        </Button>
      </div>
    </div>
  )
}

const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden className="max-sm:hidden">
    <Kbd keys={keys} />
  </span>
)
