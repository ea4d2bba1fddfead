/** How a workflow stands in review, and how a run went, in one word each. */
import type { RunStatus } from '@chancery/contract/workflow-runs.ts'
import type { WorkflowStatus } from '@chancery/contract/workflows.ts'
import { runWords } from '#lib/run-words.ts'
import { Badge, type Tone } from '#ui/badge.tsx'

const workflowTones: Record<WorkflowStatus, Tone> = { Draft: 'plain', Staged: 'warn', Published: 'good' }

export const WorkflowStatusBadge = ({ status }: { status: WorkflowStatus }) => (
  <Badge tone={workflowTones[status]}>{status}</Badge>
)

export const RunStatusBadge = ({ status }: { status: RunStatus }) => (
  <Badge tone={runWords[status].tone}>{runWords[status].label}</Badge>
)
