/** What several forms say, and what each of them is given. */

export interface FormProps {
  ownId: string
  hrefOf: (workflowId: string) => string
  /** A condition's case got another name: its edges follow. */
  onRenameWay: (from: string, to: string, patch: Record<string, unknown>) => void
}

/** The longest that a node may wait. */
export const yearSec = 31_536_000

export const overState = (
  <>
    A Python expression over <code>state</code>, <code>input</code> and <code>event</code>.
  </>
)

export const template = (
  <>
    <code>{'{{ path.into.state }}'}</code> is filled in when it runs.
  </>
)
