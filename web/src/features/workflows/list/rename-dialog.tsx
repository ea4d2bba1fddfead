/** The workflow's name, and what it is for. */
import { Workflow, WorkflowPut } from '@chancery/contract/workflows.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#lib/api.ts'
import { useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea, TextInput } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { workflowKeys, workflowPath } from '../api.ts'
import type { Named } from './api.ts'

interface RenameDialogProps {
  workflow: Named & { description: string }
  onClose: () => void
}

const NameBody = WorkflowPut.pick({ name: true, description: true })

export function RenameDialog({ workflow, onClose }: RenameDialogProps) {
  const queryClient = useQueryClient()
  const form = useForm({
    schema: NameBody,
    send: async (body) => {
      const saved = await api.put(workflowPath(workflow.id), body, Workflow)
      // Only the names: an editor on the same page may be ahead of this reply with its graph.
      queryClient.setQueryData<Workflow>(
        workflowKeys.one(workflow.id),
        (known) =>
          known && { ...known, name: saved.name, description: saved.description, updated_at: saved.updated_at },
      )
      onClose()
      await queryClient.invalidateQueries({ queryKey: workflowKeys.lists })
    },
  })
  return (
    <Dialog title="Name and description" isOpen onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="Name" name="name" problem={form.problems.name}>
          <TextInput defaultValue={workflow.name} maxLength={200} autoComplete="off" />
        </Field>
        <Field
          label="Description"
          name="description"
          isOptional
          help="What it does and whom to ask, for colleagues who meet it in the list."
          problem={form.problems.description}
        >
          <TextArea defaultValue={workflow.description} maxLength={5000} rows={4} />
        </Field>
        <FormFailure error={form.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={form.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
