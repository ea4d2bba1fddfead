/** Creates the first platform admin. The setup key proves that the person can read the server's terminal. */
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { setUp, shapes } from './api.ts'

export function SetupForm({ onSignedIn }: { onSignedIn: () => void }) {
  const form = useForm({
    schema: shapes.setup,
    fieldOfCode: { wrong_setup_key: 'setupKey', password_too_common: 'password' },
    send: async (body) => {
      await setUp(body)
      onSignedIn()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Setup key"
        name="setupKey"
        problem={form.problems.setupKey}
        help="Printed by the server when it starts, unless ADMIN_SETUP_KEY is set."
      >
        <TextInput autoComplete="off" spellCheck={false} className="font-mono" required />
      </Field>
      <Field label="Your name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="name" required />
      </Field>
      <Field label="Email" name="email" problem={form.problems.email}>
        <TextInput type="email" autoComplete="username" inputMode="email" required />
      </Field>
      <Field label="Password" name="password" problem={form.problems.password} help="At least 8 characters.">
        <PasswordInput autoComplete="new-password" required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        Set up Chancery
      </Button>
    </form>
  )
}
