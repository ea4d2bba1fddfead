/** Name and password of an invited person. The email is the invited one and can't be changed. */
import type { InvitationFacts } from '@chancery/contract/organizations/team.ts'
import type { z } from 'zod'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { acceptInvitation, acceptShape } from './api.ts'

interface AcceptFormProps {
  token: string
  facts: z.infer<typeof InvitationFacts>
  onSignedIn: () => void
}

export function AcceptForm({ token, facts, onSignedIn }: AcceptFormProps) {
  const form = useForm({
    schema: acceptShape,
    body: ({ name, password }) => ({ token, name, password }),
    fieldOfCode: { password_too_common: 'password' },
    send: async (body) => {
      await acceptInvitation(body)
      onSignedIn()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Email" name="email" help="You’ll sign in with this email.">
        <TextInput type="email" autoComplete="username" value={facts.email} readOnly />
      </Field>
      <Field label="Your name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="name" defaultValue={facts.name ?? ''} required />
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
        Join {facts.organization}
      </Button>
    </form>
  )
}
