/** Sign-in for platform admins, who are stored separately from users. */
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { logIn, shapes } from './api.ts'

export function PlatformSignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const form = useForm({
    schema: shapes.login,
    fieldOfCode: { invalid_credentials: 'password' },
    send: async (body) => {
      await logIn(body)
      onSignedIn()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="username" inputMode="email" required />
      </Field>
      <Field label="Password" name="password" problem={form.problems.password}>
        <PasswordInput autoComplete="current-password" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Sign in
      </Button>
    </form>
  )
}
