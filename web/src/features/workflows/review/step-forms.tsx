/** The three review steps: submit a draft, approve and publish it, or reject it with a reason. */
import { ApproveBody, RejectBody, SubmitBody, type Workflow } from '@chancery/contract/workflows/workflows.ts'
import { Check, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useReviewStep } from './api.ts'
import { StepError } from './step-error.tsx'

/** Blank notes aren't sent. */
const notesOf = (text: string | undefined) => (text?.trim() ? { notes: text.trim() } : {})

export function SubmitForm({ workflow, isReviewer }: { workflow: Workflow; isReviewer: boolean }) {
  const submit = useReviewStep(workflow.id, 'submit')
  const form = useForm({
    schema: SubmitBody,
    body: ({ notes }) => notesOf(notes),
    send: async (body) => {
      await submit(body)
      toast.done('Submitted for review')
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field
        label="Notes for the reviewer"
        name="notes"
        isOptional
        problem={form.problems.notes}
        help={
          isReviewer
            ? 'You’re a reviewer: after submitting, you can approve it on this page.'
            : 'An admin of your organization reviews it. Until then, the live version keeps running.'
        }
      >
        <TextArea maxLength={5000} />
      </Field>
      <StepError error={form.failure} />
      <Button type="submit" look="primary" icon={Send} isPending={form.isPending} className="self-start">
        Submit for review
      </Button>
    </form>
  )
}

/** Approves exactly the graph that was on screen when the review started, nothing that replaced it since. */
export function Decision({ workflow }: { workflow: Workflow }) {
  const [isRejecting, setRejecting] = useState(false)
  const [reviewedHash, setReviewedHash] = useState(workflow.graph_hash)
  const approve = useReviewStep(workflow.id, 'approve')
  const form = useForm({
    schema: ApproveBody,
    body: ({ notes }) => ({ ...notesOf(notes), graph_hash: reviewedHash }),
    send: async (body) => {
      const { live_version } = await approve(body)
      toast.done(`Version ${live_version} published`)
    },
  })
  if (reviewedHash !== workflow.graph_hash) return <ChangedNotice onRead={() => setReviewedHash(workflow.graph_hash)} />
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <Field
        label="Version notes"
        name="notes"
        isOptional
        problem={form.problems.notes}
        help="What changed and why. Saved with the version."
      >
        <TextArea maxLength={5000} />
      </Field>
      <StepError error={form.failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" icon={Check} isPending={form.isPending}>
          Approve & Publish
        </Button>
        <Button icon={Undo2} onClick={() => setRejecting(true)}>
          Reject
        </Button>
      </div>
      <RejectDialog workflow={workflow} isOpen={isRejecting} onClose={() => setRejecting(false)} />
    </form>
  )
}

const ChangedNotice = ({ onRead }: { onRead: () => void }) => (
  <div
    role="alert"
    className="flex flex-col items-start gap-3 rounded-panel border border-warn/40 bg-warn-wash px-4 py-3"
  >
    <p>It was changed and submitted again while you were reviewing it. You see the latest version below.</p>
    <Button onClick={onRead}>I’ve read the new version</Button>
  </div>
)

interface RejectDialogProps {
  workflow: Workflow
  isOpen: boolean
  onClose: () => void
}

const RejectDialog = ({ workflow, isOpen, onClose }: RejectDialogProps) => (
  <Dialog
    title="Reject workflow"
    hint="It becomes a draft again, with your notes for the author. The live version stays live."
    isOpen={isOpen}
    onClose={onClose}
  >
    <RejectForm workflow={workflow} onClose={onClose} />
  </Dialog>
)

function RejectForm({ workflow, onClose }: Omit<RejectDialogProps, 'isOpen'>) {
  const reject = useReviewStep(workflow.id, 'reject')
  const form = useForm({
    schema: RejectBody,
    body: ({ notes = '' }) => ({ notes: notes.trim() }),
    send: async (body) => {
      await reject(body)
      toast.done(`“${workflow.name}” rejected`)
      onClose()
    },
  })
  return (
    // The dialog isn't part of the form it was opened from, but React bubbles its events to that form.
    <form
      noValidate
      onSubmit={(event) => {
        event.stopPropagation()
        form.onSubmit(event)
      }}
      className="flex flex-col gap-5"
    >
      <Field label="Notes" name="notes" problem={form.problems.notes} help="What should be changed.">
        <TextArea rows={4} maxLength={5000} required />
      </Field>
      <DialogFormActions form={form} onCancel={onClose}>
        Reject
      </DialogFormActions>
    </form>
  )
}
