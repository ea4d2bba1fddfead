/** Badges for the review status of a workflow and the status of a run. */
import type { RunStatus } from '@chancery/contract/workflows/runs.ts'
import type { WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { runLabels } from '#ui/values/run-labels.ts'

export const workflowLabels: Record<WorkflowStatus, { label: string; tone: Tone }> = {
  Draft: { label: 'Draft', tone: 'plain' },
  Staged: { label: 'In review', tone: 'warn' },
  Published: { label: 'Published', tone: 'good' },
}

export const WorkflowStatusBadge = ({ status }: { status: WorkflowStatus }) => (
  <Badge tone={workflowLabels[status].tone}>{workflowLabels[status].label}</Badge>
)

export const RunStatusBadge = ({ status }: { status: RunStatus }) => (
  <Badge tone={runLabels[status].tone}>{runLabels[status].label}</Badge>
)
