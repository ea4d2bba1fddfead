/**
 * Actions for a whole workflow: edit details, duplicate, export, delete. Used in the list and on the workflow's page.
 */
import type { Workflow } from '@chancery/contract/workflows.ts'
import { CopyPlus, Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { NamedConfirm } from '#ui/overlay/dialog-named.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { type Described, useDeleteWorkflow, useDuplicateWorkflow, useExportWorkflow } from './api.ts'
import { DetailsDialog } from './details-dialog.tsx'

interface WorkflowMenuProps {
  workflow: Described
  /** Called with the copy; the page decides where to go. */
  onMade: (made: Workflow) => void
  onDeleted?: () => void
}

const nothing = () => undefined

export function WorkflowMenu({ workflow, onMade, onDeleted = nothing }: WorkflowMenuProps) {
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const close = () => setOpen(undefined)
  const duplicate = useDuplicateWorkflow(onMade)
  const handOut = useExportWorkflow()
  const remove = useDeleteWorkflow(() => {
    close()
    onDeleted()
  })
  return (
    <span className="relative flex justify-end text-left">
      <Menu trigger={<IconButton label={`Actions for ${workflow.name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={() => setOpen('rename')}>
          Edit details
        </MenuItem>
        <MenuItem icon={CopyPlus} onSelect={() => duplicate.mutate(workflow)}>
          Duplicate
        </MenuItem>
        <MenuItem icon={Download} onSelect={() => handOut.mutate(workflow)}>
          Export
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} tone="bad" onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'rename' && <DetailsDialog workflow={workflow} onClose={close} />}
      {open === 'delete' && (
        <NamedConfirm
          title={`Delete “${workflow.name}”?`}
          loss="Its versions, triggers and run history are permanently deleted. Running runs are cancelled."
          name={workflow.name}
          action="Delete workflow"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(workflow)}
          onClose={close}
        />
      )}
    </span>
  )
}
