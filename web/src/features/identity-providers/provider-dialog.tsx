/** Adds an identity provider or changes one. */
import {
  type IdentityProvider,
  IdentityProviderBody,
  IdentityProviderPatch,
} from '@chancery/contract/organizations/identity-providers.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Check, Switch } from '#ui/form/choices.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveProvider } from './api.ts'
import { ClientFields } from './client-fields.tsx'
import { type GroupChoice, MappingFields } from './mapping-fields.tsx'
import { type Choices, choicesOf, providerBody } from './provider-body.ts'

interface ProviderFormProps {
  current: IdentityProvider | undefined
  /** The verified ones. */
  domains: readonly string[]
  groups: readonly GroupChoice[]
  onClose: () => void
}

export const ProviderDialog = ({ isOpen, ...form }: ProviderFormProps & { isOpen: boolean }) => (
  <Dialog
    title={form.current ? 'Edit identity provider' : 'Add identity provider'}
    hint={form.current ? undefined : 'After saving, you get the redirect URI to enter at the provider.'}
    isOpen={isOpen}
    onClose={form.onClose}
    isWide
    isSticky
  >
    <ProviderForm key={form.current?.id} {...form} />
  </Dialog>
)

function ProviderForm({ current, domains, groups, onClose }: ProviderFormProps) {
  const [choices, setChoices] = useState(() => choicesOf(current, domains))
  const choose = (change: Partial<Choices>) => setChoices({ ...choices, ...change })
  const save = useSaveProvider(current?.id)
  const form = useForm<unknown>({
    schema: current ? IdentityProviderPatch : IdentityProviderBody,
    body: (fields) => ({ ...(!current && { kind: 'oidc' }), ...providerBody(fields, choices) }),
    fieldOfCode: { provider_domain_taken: 'domains' },
    send: async (body) => {
      await save(body)
      toast.done('Identity provider saved')
      onClose()
    },
  })
  const toggle = (domain: string) => {
    const isOn = choices.domains.includes(domain)
    choose({ domains: isOn ? choices.domains.filter((one) => one !== domain) : [...choices.domains, domain] })
  }
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-8">
      <ClientFields
        current={current}
        problems={form.problems}
        isUnmarkedEmailAccepted={choices.acceptsUnmarkedEmail}
        onAccept={(acceptsUnmarkedEmail) => choose({ acceptsUnmarkedEmail })}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 font-medium text-sm">Email domains</legend>
        <p className="text-faint text-sm">People with these addresses are sent to the provider when they sign in.</p>
        <div className="mt-1 divide-y divide-line rounded-control border">
          {domains.map((domain) => (
            <Check key={domain} isOn={choices.domains.includes(domain)} onChange={() => toggle(domain)}>
              {domain}
            </Check>
          ))}
        </div>
        {form.problems.domains !== undefined && (
          <p role="alert" className="text-bad text-sm">
            {form.problems.domains}
          </p>
        )}
      </fieldset>
      <MappingFields
        current={current}
        groups={groups}
        rows={choices.groups}
        problems={form.problems}
        onChange={(rows) => choose({ groups: rows })}
      />
      <div className="flex flex-col gap-5">
        <Switch
          label="Create accounts on first sign-in"
          help="When off, only people who were invited or already have an account can sign in."
          isOn={choices.createsPeople}
          onChange={(createsPeople) => choose({ createsPeople })}
        />
        <Switch
          label="Enabled"
          help="When off, the provider is kept but nobody can sign in with it."
          isOn={choices.isEnabled}
          onChange={(isEnabled) => choose({ isEnabled })}
        />
      </div>
      <DialogFormActions form={form} onCancel={onClose}>
        Save provider
      </DialogFormActions>
    </form>
  )
}
