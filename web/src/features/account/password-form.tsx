/** Changes the password; the current one is required. */
import { ChangePasswordBody } from '@chancery/contract/accounts/accounts.ts'
import { useState } from 'react'
import { useViewer } from '#data/viewer.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput } from '#ui/form/inputs.tsx'
import { changePassword } from './api.ts'

export function PasswordForm() {
  const me = useViewer()
  const [round, setRound] = useState(0)
  const form = useForm({
    schema: ChangePasswordBody,
    body: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    fieldOfCode: { wrong_password: 'currentPassword', password_too_common: 'newPassword' },
    send: async (body) => {
      await changePassword(me.kind, body)
      setRound(round + 1)
      toast.done('Password changed. Other sessions were signed out.')
    },
  })
  return (
    // Reset after each change, so passwords don't stay on the page.
    <form key={round} noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-5">
      {/* Tells password managers whose password this is. */}
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      <Field label="Current password" name="currentPassword" problem={form.problems.currentPassword}>
        <PasswordInput autoComplete="current-password" required />
      </Field>
      <Field
        label="New password"
        name="newPassword"
        problem={form.problems.newPassword}
        help="At least 8 characters. Other sessions are signed out."
      >
        <PasswordInput autoComplete="new-password" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Change password
      </Button>
    </form>
  )
}
