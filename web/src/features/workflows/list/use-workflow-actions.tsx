/** Actions for a whole workflow: edit details, duplicate, export, delete. Used in the list and on the workflow's page. */
import type { Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CopyPlus, Download, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { RowActions } from '#ui/actions/row-action.ts'
import { workflowKeys } from '../api.ts'
import { type Described, deleteWorkflow, duplicateWorkflow, exportWorkflow } from './api.ts'
import { DetailsDialog } from './details-dialog.tsx'
import { copyName } from './names.ts'

interface Ways {
  /** Called with the copy; the page decides where to go. */
  onMade: (made: Workflow) => void
  onDeleted?: () => void
}

export function useWorkflowActions({ onMade, onDeleted }: Ways): { actions: RowActions<Described>; dialog: ReactNode } {
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState<Described>()
  const remove = async (workflow: Described) => {
    await deleteWorkflow(workflow)
    onDeleted?.()
    // The page it was deleted on still shows it while navigating away; elsewhere it is removed from the cache.
    queryClient.removeQueries({ queryKey: workflowKeys.one(workflow.id), type: 'inactive' })
  }
  const actions: RowActions<Described> = {
    nouns: ['workflow', 'workflows'],
    nameOf: ({ name }) => name,
    refresh: () => queryClient.invalidateQueries({ queryKey: workflowKeys.lists }),
    list: [
      { label: 'Edit details', icon: Pencil, open: setEditing },
      {
        label: 'Duplicate',
        icon: CopyPlus,
        on: 'one',
        done: 'duplicated',
        doneFor: ({ name }) => `“${copyName(name)}” created. Secrets and triggers weren’t copied.`,
        call: async (workflow) => onMade(await duplicateWorkflow(workflow)),
      },
      {
        label: 'Export',
        icon: Download,
        on: 'one',
        done: 'exported',
        doneFor: () => 'Workflow exported without its secrets',
        call: exportWorkflow,
      },
      {
        label: 'Delete',
        icon: Trash2,
        tone: 'bad',
        done: 'deleted',
        ask: {
          title: (what) => `Delete ${what}?`,
          one: () => 'Its versions, triggers and run history are permanently deleted. Running runs are cancelled.',
          many: 'Their versions, triggers and run history are permanently deleted. Running runs are cancelled.',
          button: 'Delete workflow',
          isTyped: true,
        },
        call: remove,
      },
    ],
  }
  return { actions, dialog: editing && <DetailsDialog workflow={editing} onClose={() => setEditing(undefined)} /> }
}
