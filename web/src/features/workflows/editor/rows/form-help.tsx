/** Texts and props that several forms share. */
import type { ReactNode } from 'react'
import { cx } from '#ui/class-names.ts'
import { noteColour } from '#ui/form/field.tsx'

export interface FormProps {
  ownId: string
  hrefOf: (workflowId: string) => string
  /** Called when a case is renamed, so its edges can follow. */
  onRenameOutput: (from: string, to: string, patch: Record<string, unknown>) => void
}

/** The longest time a node may wait. */
export const yearSec = 31_536_000

export const overState = (
  <>
    A Python expression over <code>payload</code>, <code>event</code>, <code>input</code> and <code>state</code>.
  </>
)

export const template = (
  <>
    <code>{'{{ input.name }}'}</code> is replaced when the node runs.
  </>
)

interface RowNoteProps {
  problem: string | undefined
  hint: string | undefined
  help: ReactNode
}

/** The line below several rows that belong together. */
export const RowNote = ({ problem, hint, help }: RowNoteProps) => (
  <p className={cx('text-sm', noteColour(problem, hint))}>{problem ?? hint ?? help}</p>
)
