/** What one does with a whole workflow: rename, duplicate, export, delete. On its row in the list, and on its own page. */
import type { Workflow } from '@chancery/contract/workflows.ts'
import { CopyPlus, Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { NamedConfirm } from '#ui/dialog-named.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/menu.tsx'
import { type Described, useDeleteWorkflow, useDuplicateWorkflow, useExportWorkflow } from './api.ts'
import { RenameDialog } from './rename-dialog.tsx'

interface WorkflowMenuProps {
  workflow: Described
  /** A copy was made: where it is looked at is the page's affair. */
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
          Name, description and space
        </MenuItem>
        <MenuItem icon={CopyPlus} onSelect={() => duplicate.mutate(workflow)}>
          Duplicate
        </MenuItem>
        <MenuItem icon={Download} onSelect={() => handOut.mutate(workflow)}>
          Export as a file
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} tone="bad" onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'rename' && <RenameDialog workflow={workflow} onClose={close} />}
      {open === 'delete' && (
        <NamedConfirm
          title={`Delete “${workflow.name}”?`}
          loss="Its versions, triggers and the record of its runs are lost for good. Runs under way are cancelled."
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
