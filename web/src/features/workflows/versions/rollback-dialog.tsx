/** Rolls back to a version, after explaining what happens to the draft and the triggers. */
import { RollbackBody, type VersionItem, type Workflow } from '@chancery/contract/workflows/workflows.ts'
import { useState } from 'react'
import { useCan } from '#data/viewer.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { useRollBack } from './api.ts'

interface RollbackDialogProps {
  workflow: Workflow
  /** Undefined means closed. */
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
  const isReviewer = useCan('review-workflows')
  const [publishes, setPublishes] = useState(isReviewer && workflow.fires)
  const form = useForm({
    schema: RollbackBody,
    body: ({ notes = '' }) => ({ version_id: target.id, ...(notes.trim() !== '' && { notes: notes.trim() }) }),
    send: async (body) => {
      const saved = await rollBack(body, { publishes })
      toast.done(
        publishes
          ? `Version ${target.version} is live again. Your previous draft was saved as version ${saved.version}.`
          : `The draft is now version ${target.version}. Your previous draft was saved as version ${saved.version}.`,
      )
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-soft marker:text-rule">
        <li>Your current draft is saved as a manual version. Nothing is lost.</li>
        {publishes ? (
          <li>Version {target.version} becomes the draft and is published. Triggers use it from then on.</li>
        ) : (
          <DraftNotes workflow={workflow} target={target} />
        )}
        <li>Runs in progress finish on the version they started with.</li>
      </ul>
      {isReviewer && (
        <Switch
          label="Publish right away"
          help="As a reviewer, you can skip the review. Triggers aren’t interrupted."
          isOn={publishes}
          onChange={setPublishes}
        />
      )}
      <Field label="Notes" name="notes" isOptional problem={form.problems.notes} help="Why you’re rolling back.">
        <TextArea rows={2} maxLength={5000} />
      </Field>
      <FormFailure error={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" isPending={form.isPending}>
          {publishes ? 'Roll back and publish' : 'Roll back'}
        </Button>
      </DialogActions>
    </form>
  )
}

const DraftNotes = ({ workflow, target }: Pick<RollbackFormProps, 'workflow' | 'target'>) => (
  <>
    <li>The draft is replaced with version {target.version}, and the workflow becomes a draft again.</li>
    {workflow.fires ? (
      <li className="font-medium text-ink">Its triggers are paused until the draft is reviewed and published.</li>
    ) : (
      <li>Its triggers stay paused until the draft is published.</li>
    )}
  </>
)
