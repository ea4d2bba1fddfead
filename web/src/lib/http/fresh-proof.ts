/**
 * Some calls need proof of the last five minutes that this is still the same person. Such a call waits here while they
 * are asked, once for all that wait, and is then sent again.
 */
import { createListeners } from '#lib/browser/listeners.ts'
import { onForget } from '#lib/tab/forget-tab.ts'

interface Question {
  answer: Promise<boolean>
  settle: (isProven: boolean) => void
}

let question: Question | undefined
const { subscribe, tell } = createListeners()

function begin(): Question {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  return { answer: promise, settle: resolve }
}

/** Answers false if the person closes the dialog. */
export function askForProof(): Promise<boolean> {
  if (!question) {
    question = begin()
    tell()
  }
  return question.answer
}

export function settleProof(isProven: boolean) {
  const settled = question
  question = undefined
  tell()
  settled?.settle(isProven)
}

onForget(() => settleProof(false))

export const subscribeToProof = subscribe
export const isProofAsked = (): boolean => question !== undefined
