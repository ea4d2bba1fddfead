/** Adds a platform admin. */
import { AdminAccountBody } from '@chancery/contract/platform/platform.ts'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useCreateAdmin } from './api.ts'

export function NewAdminDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      title="New platform admin"
      hint="Platform admins can see every user and organization."
      isOpen={isOpen}
      onClose={onClose}
    >
      <NewAdminForm onClose={onClose} />
    </Dialog>
  )
}

function NewAdminForm({ onClose }: { onClose: () => void }) {
  const create = useCreateAdmin()
  const form = useForm({
    schema: AdminAccountBody,
    fieldOfCode: { email_taken: 'email', password_too_common: 'password' },
    send: async (body) => {
      const { name } = await create(body)
      toast.done(`${name} is now a platform admin`)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" required />
      </Field>
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="off" inputMode="email" required />
      </Field>
      <Field
        label="Initial password"
        name="password"
        problem={form.problems.password}
        help="At least 8 characters. Share it over a secure channel."
      >
        <PasswordInput autoComplete="new-password" required />
      </Field>
      <DialogFormActions form={form} onCancel={onClose}>
        Add admin
      </DialogFormActions>
    </form>
  )
}
