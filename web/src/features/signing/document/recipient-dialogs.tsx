/**
 * Corrects a recipient's email, or replaces them by somebody else: both send a new link and end the old one. Or makes a
 * link for the sender to hand over.
 */
import { ReplaceBody } from '@chancery/contract/signing/documents.ts'
import { EmailAddress } from '@chancery/contract/text.ts'
import { z } from 'zod'
import { useHasMailServer } from '#data/mail-server.ts'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { LinkDialog } from '#ui/overlay/link-dialog.tsx'
import { type Recipient, useCopyLink, useReplace, useResend } from '../documents/api.ts'

interface DialogProps {
  documentId: string
  recipient: Recipient
  onClose: () => void
}

const AddressBody = z.strictObject({ email: EmailAddress })

export function AddressDialog({ documentId, recipient, onClose }: DialogProps) {
  const resend = useResend(documentId)
  const hasMail = useHasMailServer() !== false
  const form = useForm({
    schema: AddressBody,
    send: async ({ email }) => {
      await resend.mutateAsync({ recipientId: recipient.id, email })
      toast.done(hasMail ? `New link sent to ${email}` : 'Email corrected')
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      title={`Correct the email of ${recipient.name}`}
      hint={
        hasMail ? 'We’ll send a new link. The old one stops working.' : 'The old link stops working. Copy a new one.'
      }
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field label="Email" name="email" problem={form.problems.email}>
          <TextInput type="email" defaultValue={recipient.email} autoComplete="off" />
        </Field>
        <DialogFormActions form={form} onCancel={onClose}>
          {hasMail ? 'Send link' : 'Save'}
        </DialogFormActions>
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
        <DialogFormActions form={form} onCancel={onClose}>
          Replace
        </DialogFormActions>
      </form>
    </Dialog>
  )
}

export function CopyLinkDialog({ documentId, recipient, onClose }: DialogProps) {
  const copyLink = useCopyLink(documentId)
  return (
    <LinkDialog
      title={`Signing link for ${recipient.name}`}
      hint="The email couldn’t be sent. Copy the link and send it to them yourself."
      createLink={() => copyLink(recipient.id)}
      onClose={onClose}
    >
      <p className="text-soft">
        Anyone with the link can sign as {recipient.name}, so send it to no one else. The activity and the certificate
        say that you handed it over, since it doesn’t prove their email address.
      </p>
    </LinkDialog>
  )
}
