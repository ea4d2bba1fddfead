/** Sets a new password with the token from a reset link. */
import { useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordInput } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { resetPassword, shapes } from './api.ts'

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({
    schema: shapes.reset,
    body: ({ password }) => ({ token, password }),
    fieldOfCode: { password_too_common: 'password' },
    send: async (body) => {
      await resetPassword(body)
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="New password" name="password" problem={form.problems.password} help="At least 8 characters.">
        <PasswordInput autoComplete="new-password" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Set new password
      </Button>
    </form>
  )
}
