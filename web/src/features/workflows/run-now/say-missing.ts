/** What stands between a workflow and its first run, in words. */
import type { Workflow } from '@chancery/contract/workflows.ts'

type Standing = Pick<Workflow, 'status' | 'problems' | 'live_version'>

export function sayMissing({ status, problems, live_version }: Standing): string {
  if (live_version !== null) return 'It was rolled back. Publish it again, and it runs as the draft now stands.'
  const mend = problems.length === 1 ? 'one thing is' : `${problems.length} things are`
  if (problems.length > 0) return `Only what is published runs. First ${mend} to be mended in the editor.`
  if (status === 'Staged') return 'Only what is published runs. It is in review, and waits for an approval.'
  return 'Only what is published runs. It is complete: submit it for review and publish it.'
}
