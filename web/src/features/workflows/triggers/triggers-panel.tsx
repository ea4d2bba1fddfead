/** The triggers of a workflow: what each listens for, whether it is on, and why nothing is started if so. */
import type { Trigger } from '@chancery/contract/workflow-triggers.ts'
import type { Workflow } from '@chancery/contract/workflows.ts'
import { type ReactNode, useState } from 'react'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import { type TriggerKind, useDeleteTrigger, useResumeTrigger, useSwitchTrigger, useTriggers } from './api.ts'
import { triggerColumns } from './trigger-cells.tsx'
import { whyPaused } from './trigger-labels.ts'

interface TriggersPanelProps {
  workflow: Workflow
  /** Opens the dialog for a new trigger. */
  action: ReactNode
  /** Link to the review, shown while triggers don't start the workflow. */
  reviewLink: ReactNode
  onOpen: (id: string) => void
}

export function TriggersPanel({ workflow, action, reviewLink, onOpen }: TriggersPanelProps) {
  const triggers = useTriggers(workflow.id)
  const [deleting, setDeleting] = useState<Trigger>()
  const remove = useDeleteTrigger(workflow.id, () => setDeleting(undefined))
  const { mutate: toggle } = useSwitchTrigger(workflow.id)
  const { mutate: resume } = useResumeTrigger(workflow.id)
  const silent = whyPaused(workflow)
  const actions = { fires: workflow.fires, onOpen, onToggle: toggle, onResume: resume, onDelete: setDeleting }
  return (
    <Panel
      title="Triggers"
      hint="What starts this workflow automatically. Runs always use the live version, never the draft."
      action={action}
      isFlush
    >
      {silent !== undefined && (
        <p role="status" className="mx-5 mb-3 rounded-control border border-warn/40 bg-warn-wash px-3 py-2">
          {silent} {reviewLink}
        </p>
      )}
      <QueryTable
        label="Triggers"
        query={triggers}
        columns={triggerColumns(actions)}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No triggers yet"
            hint="You can run it manually. Add an event, a schedule or a webhook to start it automatically."
          />
        }
      />
      <Confirm
        title={`Delete “${deleting?.name}”?`}
        loss={deleting && lossOf[deleting.kind]}
        action="Delete trigger"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

const lossOf: Record<TriggerKind, string> = {
  event: 'Events no longer start this workflow. Runs in progress continue.',
  cron: 'This schedule no longer starts the workflow. Runs in progress continue.',
  webhook: 'Its URL and secrets stop working immediately and can’t be restored. Runs in progress continue.',
}
