/** Asks before a shorter retention deletes records: that can't be undone. */
import { type ReactNode, useState } from 'react'
import { Confirm } from '#ui/overlay/dialog.tsx'

interface Question {
  /** Says what changes. */
  change: string
  action: string
}

export function useDeletionQuestion(): { ask: (question: Question) => Promise<boolean>; dialog: ReactNode } {
  const [asked, setAsked] = useState<Question & { answer: (isSure: boolean) => void }>()
  const answer = (isSure: boolean) => {
    asked?.answer(isSure)
    setAsked(undefined)
  }
  return {
    ask: (question) => new Promise((resolve) => setAsked({ ...question, answer: resolve })),
    dialog: (
      <Confirm
        title="Delete older records?"
        loss={`${asked?.change} Older records are deleted within an hour and can’t be restored.`}
        action={asked?.action ?? ''}
        isOpen={asked !== undefined}
        isPending={false}
        onConfirm={() => answer(true)}
        onClose={() => answer(false)}
      />
    ),
  }
}
