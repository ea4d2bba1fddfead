/** Edits a workflow's name, description and space, and what is started when it fails. */
import { WorkflowPut } from '@chancery/contract/workflows/workflows.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useAllWorkflows } from '../api.ts'
import { useSpaces } from '../catalogs/api.ts'
import { NamedOptions } from '../catalogs/named-options.tsx'
import { type Described, useSaveDetails } from './api.ts'
import { detailsBody } from './details-body.ts'

interface DetailsDialogProps {
  workflow: Described
  onClose: () => void
}

const DetailsBody = WorkflowPut.pick({ name: true, description: true, space_id: true, error_workflow_id: true })

export function DetailsDialog({ workflow, onClose }: DetailsDialogProps) {
  const save = useSaveDetails(workflow.id)
  const spaces = useSpaces()
  // Controlled, because options that load later would make the browser change the selection.
  const [spaceId, setSpaceId] = useState(workflow.space_id ?? '')
  const [errorId, setErrorId] = useState(workflow.error_workflow_id ?? '')
  const others = useAllWorkflows().data?.items.filter(({ id }) => id !== workflow.id)
  const form = useForm({
    schema: DetailsBody,
    body: (fields) => detailsBody(workflow, fields),
    fieldOfCode: { space_not_found: 'space_id', workflow_not_found: 'error_workflow_id' },
    send: async (body) => {
      await save(body)
      onClose()
    },
  })
  return (
    <Dialog title="Workflow details" isOpen onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="Name" name="name" problem={form.problems.name}>
          <TextInput defaultValue={workflow.name} maxLength={200} autoComplete="off" />
        </Field>
        <Field
          label="Description"
          name="description"
          isOptional
          help="What it does and who to ask, shown in the list of workflows."
          problem={form.problems.description}
        >
          <TextArea defaultValue={workflow.description} maxLength={5000} rows={4} />
        </Field>
        <Field
          label="Space"
          name="space_id"
          help="The space its runs belong to, unless a trigger sets another one."
          problem={form.problems.space_id}
        >
          <Select value={spaceId} onChange={(event) => setSpaceId(event.target.value)}>
            <option value="">None</option>
            <NamedOptions items={spaces.data?.items} chosen={workflow.space_id} />
          </Select>
        </Field>
        <Field
          label="When a run fails, start"
          name="error_workflow_id"
          isOptional
          help="That workflow gets the failed run’s facts as its input."
          problem={form.problems.error_workflow_id}
        >
          <Select value={errorId} onChange={(event) => setErrorId(event.target.value)}>
            <option value="">Nothing</option>
            <NamedOptions items={others} chosen={workflow.error_workflow_id} />
          </Select>
        </Field>
        <DialogFormActions form={form} onCancel={onClose}>
          Save
        </DialogFormActions>
      </form>
    </Dialog>
  )
}
