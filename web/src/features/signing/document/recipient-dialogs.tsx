/** Corrects a recipient's email, or replaces them by somebody else. Both send a new link and end the old one. */
import { ReplaceBody } from '@chancery/contract/signing-documents.ts'
import { EmailAddress } from '@chancery/contract/text.ts'
import { z } from 'zod'
import { useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { TextInput } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { toast } from '#ui/toast.tsx'
import { type Recipient, useReplace, useResend } from '../documents/api.ts'

interface DialogProps {
  documentId: string
  recipient: Recipient
  onClose: () => void
}

const AddressBody = z.strictObject({ email: EmailAddress })

export function AddressDialog({ documentId, recipient, onClose }: DialogProps) {
  const resend = useResend(documentId)
  const form = useForm({
    schema: AddressBody,
    send: async ({ email }) => {
      await resend.mutateAsync({ recipientId: recipient.id, email })
      toast.done(`New link sent to ${email}`)
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      title={`Correct the email of ${recipient.name}`}
      hint="We’ll send a new link. The old one stops working."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="Email" name="email" problem={form.problems.email}>
          <TextInput type="email" defaultValue={recipient.email} autoComplete="off" />
        </Field>
        <FormFailure error={form.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={form.isPending}>
            Send link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function ReplaceDialog({ documentId, recipient, onClose }: DialogProps) {
  const replace = useReplace(documentId)
  const form = useForm({
    schema: ReplaceBody,
    send: async (person) => {
      await replace.mutateAsync({ recipientId: recipient.id, ...person })
      toast.done(`${person.name} replaces ${recipient.name}`)
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      title={`Replace ${recipient.name}`}
      hint="The new person gets the same fields and turn. The old link stops working."
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="Name" name="name" problem={form.problems.name}>
          <TextInput autoComplete="off" />
        </Field>
        <Field label="Email" name="email" problem={form.problems.email}>
          <TextInput type="email" autoComplete="off" />
        </Field>
        <FormFailure error={form.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={form.isPending}>
            Replace
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
