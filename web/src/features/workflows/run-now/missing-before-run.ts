/** Says what is missing before a workflow can run. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'

type Standing = Pick<Workflow, 'status' | 'problems' | 'live_version'>

export function missingBeforeRun({ status, problems, live_version }: Standing): string {
  if (live_version !== null) return 'This workflow was rolled back. Publish the draft to run it.'
  const fixes = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  if (problems.length > 0) return `Only published workflows can run. First fix ${fixes} in the editor.`
  if (status === 'Staged') return 'Only published workflows can run. This one is in review and waiting for approval.'
  return 'Only published workflows can run. This draft is complete: submit it for review and publish it.'
}
