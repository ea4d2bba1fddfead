/** Approve or reject a pending approval, with an optional comment. An answer by key can be undone for a few seconds. */
import type { Approval } from '@chancery/contract/workflows/runs.ts'
import { Check, Undo2, X } from 'lucide-react'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { Button } from '#ui/button/button.tsx'
import { Kbd } from '#ui/button/kbd.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { type Answer, answerWord, useAnswer } from './api.ts'
import { keptComment, sendAnswerNow, undoAnswer, useAnswerSoon, useDelayedAnswer } from './delayed-answers.ts'

interface AnswerFormProps {
  approval: Approval
  /** Turns on single-key shortcuts: only where the approval is the main content of the page. */
  hasKeys?: boolean
}

const commentLook =
  'w-full rounded-control border border-b-rule bg-surface px-3 py-2 text-md focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15 sm:text-base'

export function AnswerForm({ approval, hasKeys = false }: AnswerFormProps) {
  const id = useId()
  const [comment, setComment] = useState(() => keptComment(approval.step_id))
  const answer = useAnswer()
  const answerSoon = useAnswerSoon()
  const delayed = useDelayedAnswer(approval.step_id)
  const { mutate, isPending } = answer
  const isOpen = !isPending && delayed === undefined
  const answerWith = useCallback(
    (approved: boolean) => ({ approval, approved, comment: comment.trim() }),
    [approval, comment],
  )
  const answerByKey = useCallback(
    (approved: boolean) => {
      const given = answerWith(approved)
      if (!answerSoon(given)) mutate(given)
    },
    [answerSoon, answerWith, mutate],
  )
  useShortcuts(
    useMemo(
      () =>
        hasKeys && isOpen
          ? [
              { keys: 'a', label: 'Approve', run: () => answerByKey(true) },
              { keys: 'r', label: 'Reject', run: () => answerByKey(false) },
            ]
          : [],
      [hasKeys, isOpen, answerByKey],
    ),
  )
  if (delayed) return <Delayed answer={delayed} />
  const isBusy = (approved: boolean) => isPending && answer.variables.approved === approved
  const send = (approved: boolean) => isOpen && mutate(answerWith(approved))
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

/** In place of the form while the answer can still be undone. */
function Delayed({ answer: { approval, approved, comment } }: { answer: Answer }) {
  const element = useRef<HTMLDivElement>(null)
  const undo = useCallback(() => undoAnswer(approval.step_id), [approval.step_id])
  useShortcuts(useMemo(() => [{ keys: 'u', label: 'Undo answer', run: undo }], [undo]))
  // The focused button may have been part of the form.
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={element} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={approved ? 'good' : 'bad'}>{answerWord(approved)}</Badge>
        <span className="text-soft">The answer is sent in a few seconds.</span>
      </p>
      {comment !== '' && (
        <blockquote className="whitespace-pre-wrap border-l-2 pl-3 text-soft [overflow-wrap:anywhere]">
          {comment}
        </blockquote>
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={Undo2} onClick={undo}>
          Undo <KeyHint keys="u" />
        </Button>
        <Button look="quiet" onClick={() => sendAnswerNow(approval.step_id)}>
          Send now
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
