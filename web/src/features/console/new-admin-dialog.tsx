/** Adds a platform admin. */
import { AdminAccountBody } from '@chancery/contract/platform.ts'
import { useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordInput, TextInput } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { toast } from '#ui/toast.tsx'
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
      <FormFailure error={form.failure} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isPending={form.isPending}>
          Add admin
        </Button>
      </DialogActions>
    </form>
  )
}
