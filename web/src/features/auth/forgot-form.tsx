/** Requests a reset link. The reply never reveals whether the email has an account. */

import { NoMailNote } from '#data/no-mail-note.tsx'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { shapes } from './api.ts'

interface ForgotFormProps {
  send: (body: { email: string }) => Promise<unknown>
  onSent: (email: string) => void
}

export function ForgotForm({ send, onSent }: ForgotFormProps) {
  const form = useForm({
    schema: shapes.address,
    send: async (body) => {
      await send(body)
      onSent(body.email)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="username" inputMode="email" required />
      </Field>
      <NoMailNote>Your platform admin can give you the reset link.</NoMailNote>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Send reset link
      </Button>
    </form>
  )
}
