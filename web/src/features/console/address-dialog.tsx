/** Gives an account another email address; the old one is free. Reopens an account that lost its address to its owner. */
import { UserPatch, type UserRow } from '@chancery/contract/platform/platform.ts'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useChangeAddress } from './api.ts'

interface AddressDialogProps {
  user: UserRow
  isOpen: boolean
  onClose: () => void
}

export function AddressDialog({ user, isOpen, onClose }: AddressDialogProps) {
  return (
    <Dialog
      title="Change email"
      hint={`${user.formerEmail ?? user.email} can then be used by another account. ${user.name} is signed out.`}
      isOpen={isOpen}
      onClose={onClose}
    >
      <AddressForm user={user} onDone={onClose} />
    </Dialog>
  )
}

function AddressForm({ user, onDone }: { user: UserRow; onDone: () => void }) {
  const changeAddress = useChangeAddress(user.id)
  const form = useForm({
    schema: UserPatch,
    body: ({ email }) => ({ email }),
    fieldOfCode: { email_taken: 'email' },
    send: async (body) => {
      await changeAddress(body)
      toast.done('Email changed')
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="New email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="off" required />
      </Field>
      <DialogFormActions form={form} onCancel={onDone}>
        Change email
      </DialogFormActions>
    </form>
  )
}
