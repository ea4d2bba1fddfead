/**
 * Answers given with a single key. They are sent after a few seconds, because a key is easily pressed by mistake and
 * an answer can't be changed: the run continues with it.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { createDelayedActions, undoMsBefore } from '#lib/tab/delayed-actions.ts'
import { onForget } from '#lib/tab/forget-tab.ts'
import { toast, undoMs } from '#ui/feedback/toast.ts'
import { type Answer, answerWord, refreshAnswered, sendAnswer } from './api.ts'

const answers = createDelayedActions<Answer>()
/** Comments of answers that were undone, so that they needn't be typed again. */
const comments = new Map<string, string>()
onForget(() => comments.clear())

export const keptComment = (stepId: string): string => comments.get(stepId) ?? ''

export const sendAnswerNow = (stepId: string): void => void answers.sendNow(stepId)

export function undoAnswer(stepId: string): void {
  const undone = answers.undo(stepId)
  if (undone) comments.set(stepId, undone.comment)
  else toast.failed(new Error('The answer was already sent.'))
}

/** The answer to this approval that is about to be sent. */
export const useDelayedAnswer = (stepId: string): Answer | undefined => answers.useWaiting().get(stepId)

/** Returns false if the deadline is too near for undoing: the answer has to be sent at once. */
export function useAnswerSoon(): (answer: Answer) => boolean {
  const queryClient = useQueryClient()
  return useCallback(
    (answer) => {
      const { step_id: id, run_id: runId, title, deadline_at: at } = answer.approval
      const leftMs = at === null ? undoMs : undoMsBefore(new Date(at * 1000), undoMs)
      if (leftMs === 0) return false
      const send = async () => {
        comments.delete(id)
        // Fails if someone else answered in the meantime: the first answer counts.
        await sendAnswer(answer).catch(toast.failed)
        await refreshAnswered(queryClient, runId)
      }
      answers.add(id, { item: answer, send, undoMs: leftMs })
      toast.undoable(`${answerWord(answer.approved)}: ${title}`, () => undoAnswer(id), leftMs)
      return true
    },
    [queryClient],
  )
}
