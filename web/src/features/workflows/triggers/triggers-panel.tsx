/** The triggers of a workflow: what each listens for, whether it is on, and why none of them starts a run if so. */
import type { Trigger } from '@chancery/contract/workflows/triggers.ts'
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { type ReactNode, useState } from 'react'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import { type TriggerKind, useDeleteTrigger, useResumeTrigger, useSwitchTrigger, useTriggers } from './api.ts'
import { triggerColumns } from './trigger-cells.tsx'
import { whyPaused } from './trigger-labels.ts'

interface TriggersProps {
  workflow: Workflow
  /** Link to the review, shown while triggers don't start the workflow. */
  reviewLink: ReactNode
  onOpen: (id: string) => void
}

interface TriggersPanelProps extends TriggersProps {
  /** Opens the dialog for a new trigger. */
  action: ReactNode
}

export const TriggersPanel = ({ action, ...triggers }: TriggersPanelProps) => (
  <Panel
    title="Triggers"
    hint="What starts this workflow automatically. Runs always use the live version, never the draft."
    action={action}
    isFlush
  >
    <TriggersTable {...triggers} />
  </Panel>
)

export function TriggersTable({ workflow, reviewLink, onOpen }: TriggersProps) {
  const triggers = useTriggers(workflow.id)
  const [deleting, setDeleting] = useState<Trigger>()
  const remove = useDeleteTrigger(workflow.id, () => setDeleting(undefined))
  const { mutate: toggle } = useSwitchTrigger(workflow.id)
  const { mutate: resume } = useResumeTrigger(workflow.id)
  const silent = whyPaused(workflow)
  const actions = { fires: workflow.fires, onOpen, onToggle: toggle, onResume: resume, onDelete: setDeleting }
  return (
    <>
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
    </>
  )
}

const lossOf: Record<TriggerKind, string> = {
  event: 'Events no longer start this workflow. Runs in progress continue.',
  cron: 'This schedule no longer starts the workflow. Runs in progress continue.',
  webhook: 'Its URL and secrets stop working immediately and can’t be restored. Runs in progress continue.',
}
