/** Where the provider is, and our client there. */
import type { IdentityProvider } from '@chancery/contract/organizations/identity-providers.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'

interface ClientFieldsProps {
  current: IdentityProvider | undefined
  problems: Problems
  isUnmarkedEmailAccepted: boolean
  onAccept: (isAccepted: boolean) => void
}

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const

export function ClientFields({ current, problems, isUnmarkedEmailAccepted, onAccept }: ClientFieldsProps) {
  const { oidc } = current ?? {}
  return (
    <div className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={problems.name} help="Only administrators see it.">
        <TextInput {...plain} defaultValue={current?.name} required />
      </Field>
      <Field
        label="Issuer"
        name="issuer"
        problem={problems.issuer}
        help="As the provider shows it, such as https://acme.okta.com."
      >
        <TextInput {...plain} type="url" defaultValue={oidc?.issuer} className="font-mono" required />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Client ID" name="clientId" problem={problems.clientId}>
          <TextInput {...plain} defaultValue={oidc?.clientId} className="font-mono" required />
        </Field>
        <Field
          label="Client secret"
          name="clientSecret"
          isOptional
          problem={problems.clientSecret}
          help={
            oidc?.hasClientSecret
              ? 'A secret is stored. Leave blank to keep it.'
              : 'Stored encrypted. You won’t see it again.'
          }
        >
          <PasswordInput autoComplete="new-password" />
        </Field>
      </div>
      <Field
        label="Email claim"
        name="emailClaim"
        problem={problems.emailClaim}
        help="The claim that has the person’s email, such as preferred_username for Entra ID."
      >
        <TextInput {...plain} defaultValue={oidc?.emailClaim ?? 'email'} className="font-mono" required />
      </Field>
      <Switch
        label="Trust emails without a verification mark"
        help="Needed for Entra ID, which doesn’t send email_verified. Leave off for a provider where people can change their own email."
        isOn={isUnmarkedEmailAccepted}
        onChange={onAccept}
      />
    </div>
  )
}
