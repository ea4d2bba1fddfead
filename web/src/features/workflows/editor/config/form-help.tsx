/** Texts and props that several forms share. */

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
