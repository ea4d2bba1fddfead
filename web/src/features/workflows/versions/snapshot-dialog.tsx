/** Saves the current draft as a version, with a note. */
import { SnapshotBody } from '@chancery/contract/workflows/workflows.ts'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useTakeSnapshot } from './api.ts'

interface SnapshotDialogProps {
  workflowId: string
  isOpen: boolean
  onClose: () => void
}

export const SnapshotDialog = ({ workflowId, isOpen, onClose }: SnapshotDialogProps) => (
  <Dialog
    title="Take a snapshot"
    hint="Saves the current draft as a manual version. The live version stays live."
    isOpen={isOpen}
    onClose={onClose}
  >
    <SnapshotForm workflowId={workflowId} onClose={onClose} />
  </Dialog>
)

function SnapshotForm({ workflowId, onClose }: Omit<SnapshotDialogProps, 'isOpen'>) {
  const take = useTakeSnapshot(workflowId)
  const form = useForm({
    schema: SnapshotBody,
    body: ({ notes = '' }) => (notes.trim() === '' ? {} : { notes: notes.trim() }),
    send: async (body) => {
      const { version } = await take(body)
      toast.done(`Draft saved as version ${version}`)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Notes" name="notes" isOptional problem={form.problems.notes} help="Why you’re saving this version.">
        <TextArea maxLength={5000} />
      </Field>
      <DialogFormActions form={form} onCancel={onClose}>
        Take snapshot
      </DialogFormActions>
    </form>
  )
}
