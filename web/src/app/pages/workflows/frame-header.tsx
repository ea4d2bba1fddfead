/** The workflow's name, status and actions. */
import type { RunItem } from '@chancery/contract/workflows/runs.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, FlaskConical, Play } from 'lucide-react'
import { useState } from 'react'
import { useWorkflowActions } from '#features/workflows/list/use-workflow-actions.tsx'
import { RunDialog, TestDialog } from '#features/workflows/run-now/run-dialog.tsx'
import { WorkflowStatusBadge } from '#features/workflows/status-badge.tsx'
import { RowActionsMenu } from '#ui/actions/row-actions-cell.tsx'
import { Button, buttonLook } from '#ui/button/button.tsx'

interface FrameHeaderProps {
  workflow: Workflow
  onMade: (made: Workflow) => void
  onDeleted: () => void
  onStarted: (run: RunItem) => void
}

export function FrameHeader({ workflow, onMade, onDeleted, onStarted }: FrameHeaderProps) {
  const [isRunning, setRunning] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const { actions, dialog } = useWorkflowActions({ onMade, onDeleted })
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="flex min-w-0 items-start gap-1">
        <Link
          to="/workflows"
          aria-label="All workflows"
          title="All workflows"
          className="-ml-2 inline-flex size-8 shrink-0 items-center justify-center rounded-control text-soft hover:bg-sunken hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 pt-0.5">
          <h1 className="min-w-0 truncate font-medium font-serif text-lg tracking-tight">{workflow.name}</h1>
          <WorkflowStatusBadge status={workflow.status} />
          <p className="text-faint text-sm max-sm:sr-only">{liveStatusText(workflow)}</p>
        </div>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <Button size="small" icon={FlaskConical} className="h-8" onClick={() => setTesting(true)}>
          Test
        </Button>
        <Button look="primary" size="small" icon={Play} className="h-8" onClick={() => setRunning(true)}>
          Run now
        </Button>
        <RowActionsMenu row={workflow} actions={actions} />
        {dialog}
      </div>
      {isTesting && (
        <TestDialog
          workflow={workflow}
          onStarted={(run) => {
            setTesting(false)
            onStarted(run)
          }}
          onClose={() => setTesting(false)}
        />
      )}
      {isRunning && (
        <RunDialog
          workflow={workflow}
          reviewLink={
            <Link
              to="/workflows/$workflowId/review"
              params={{ workflowId: workflow.id }}
              className={buttonLook('primary')}
              onClick={() => setRunning(false)}
            >
              Go to review
            </Link>
          }
          onStarted={(run) => {
            setRunning(false)
            onStarted(run)
          }}
          onClose={() => setRunning(false)}
        />
      )}
    </div>
  )
}

function liveStatusText({ fires, has_changes, live_version }: Workflow): string {
  if (live_version === null) return 'Not published yet, so triggers don’t start it'
  if (!fires) return 'Rolled back: triggers don’t start it until it’s published again'
  return has_changes ? `Version ${live_version} is live · unpublished changes` : `Version ${live_version} is live`
}
