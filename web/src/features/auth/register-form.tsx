/** A new account: for a person, or for a company with its first admin. */
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { registerCompany, registerPerson, shapes } from './api.ts'

export type AccountKind = 'person' | 'company'

const kinds = [
  { value: 'person', label: 'For myself' },
  { value: 'company', label: 'For a company' },
] as const

interface RegisterFormProps {
  kind: AccountKind
  onKind: (kind: AccountKind) => void
  onSignedIn: () => void
}

const fieldOfCode = { email_taken: 'email', password_too_common: 'password' }

export function RegisterForm({ kind, onKind, onSignedIn }: RegisterFormProps) {
  const person = useForm({
    schema: shapes.person,
    body: ({ name, email, password }) => ({ name, email, password }),
    fieldOfCode,
    send: async (body) => {
      await registerPerson(body)
      onSignedIn()
    },
  })
  const company = useForm({
    schema: shapes.company,
    body: ({ companyName, name, email, password }) => ({ companyName, name, email, password }),
    fieldOfCode,
    send: async (body) => {
      await registerCompany(body)
      onSignedIn()
    },
  })
  const form = kind === 'company' ? company : person
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Segmented legend="Account type" name="kind" value={kind} options={kinds} onChange={onKind} />
      {kind === 'company' && (
        <Field
          label="Company name"
          name="companyName"
          problem={form.problems.companyName}
          help="You’ll be its first admin, on a trial plan."
        >
          <TextInput autoComplete="organization" required />
        </Field>
      )}
      <Field label="Your name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="name" required />
      </Field>
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="username" inputMode="email" required />
      </Field>
      <Field
        label="Password"
        name="password"
        problem={form.problems.password}
        help="At least 8 characters. A phrase works well."
      >
        <PasswordInput autoComplete="new-password" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Create account
      </Button>
    </form>
  )
}
