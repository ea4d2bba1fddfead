/** Sign-in for platform admins, who are stored separately from users. */
import { Link } from '@tanstack/react-router'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { type Challenge, logIn, shapes } from './api.ts'

interface PlatformSignInFormProps {
  onSignedIn: () => void
  onSecondStep: (challenge: Challenge, email: string) => void
}

export function PlatformSignInForm({ onSignedIn, onSecondStep }: PlatformSignInFormProps) {
  const form = useForm({
    schema: shapes.login,
    fieldOfCode: { invalid_credentials: 'password' },
    send: async (body) => {
      const challenge = await logIn(body)
      if (challenge) onSecondStep(challenge, body.email)
      else onSignedIn()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="username webauthn" inputMode="email" required />
      </Field>
      <Field
        label="Password"
        name="password"
        problem={form.problems.password}
        aside={
          <Link to="/platform/forgot-password" className="text-seal-text text-sm underline-offset-4 hover:underline">
            Forgot password?
          </Link>
        }
      >
        <PasswordInput autoComplete="current-password" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Sign in
      </Button>
    </form>
  )
}
