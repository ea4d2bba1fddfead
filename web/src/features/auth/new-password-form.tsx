/** Sets a new password with the token from a mailed link. */

import { useForm } from '#lib/form/form.ts'
import type { Shape } from '#lib/http/shape.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput } from '#ui/form/inputs.tsx'

interface NewPasswordFormProps<Body> {
  token: string
  schema: Shape<Body>
  send: (body: Body) => Promise<unknown>
  action: string
  onDone: () => void
}

export function NewPasswordForm<Body>({ token, schema, send, action, onDone }: NewPasswordFormProps<Body>) {
  const form = useForm({
    schema,
    body: ({ password }) => ({ token, password }),
    fieldOfCode: { password_too_common: 'password' },
    send: async (body) => {
      await send(body)
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
        {action}
      </Button>
    </form>
  )
}
