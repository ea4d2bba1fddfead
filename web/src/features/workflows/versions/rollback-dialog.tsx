/** The way back to a version. It says what becomes of the draft and of what starts the workflow before it is gone. */
import { RollbackBody, type VersionItem, type Workflow } from '@chancery/contract/workflows.ts'
import { useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { toast } from '#ui/toast.tsx'
import { useRollBack } from './api.ts'

interface RollbackDialogProps {
  workflow: Workflow
  /** Undefined is closed. */
  target: VersionItem | undefined
  onClose: () => void
}

export const RollbackDialog = ({ workflow, target, onClose }: RollbackDialogProps) => (
  <Dialog title={`Roll back to version ${target?.version}?`} isOpen={target !== undefined} onClose={onClose}>
    {target && <RollbackForm workflow={workflow} target={target} onClose={onClose} />}
  </Dialog>
)

interface RollbackFormProps extends RollbackDialogProps {
  target: VersionItem
}

function RollbackForm({ workflow, target, onClose }: RollbackFormProps) {
  const rollBack = useRollBack(workflow.id)
  const form = useForm({
    schema: RollbackBody,
    body: ({ notes = '' }) => ({ version_id: target.id, ...(notes.trim() !== '' && { notes: notes.trim() }) }),
    send: async (body) => {
      const saved = await rollBack(body)
      toast.done(`The draft is version ${target.version} again. What it was is kept as version ${saved.version}.`)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-soft marker:text-rule">
        <li>The draft as it is now is kept as a Manual version. Nothing is lost.</li>
        <li>The draft becomes what version {target.version} was, and the workflow is a Draft again.</li>
        {workflow.fires ? (
          <li className="font-medium text-ink">
            Its triggers stop: no event, time or webhook starts it until the draft is reviewed and published.
          </li>
        ) : (
          <li>Nothing starts it at the moment; that stays so until the draft is published.</li>
        )}
        <li>Runs under way finish on the version they began with.</li>
      </ul>
      <Field label="Notes" name="notes" isOptional problem={form.problems.notes} help="Kept with the saved draft.">
        <TextArea rows={2} maxLength={5000} />
      </Field>
      <FormFailure error={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" isPending={form.isPending}>
          Roll back
        </Button>
      </DialogActions>
    </form>
  )
}
