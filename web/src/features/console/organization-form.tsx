/** Plan, limits, trial, domains and sign-in method of one organization. */
import { OrganizationPatch } from '@chancery/contract/platform/platform.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { useEditOrganization } from './api.ts'
import { type Detail, fieldsOfDetail, organizationPatch } from './organization-patch.ts'

const logins = [
  { value: 'NATIVE', label: 'Email and password' },
  { value: 'SSO', label: 'Company login' },
] as const

const limits = [
  { name: 'members', label: 'Members' },
  { name: 'documentsPerMonth', label: 'Documents per month' },
  { name: 'storageBytes', label: 'Storage (GB)' },
] as const

export function OrganizationForm({ organization }: { organization: Detail }) {
  const edit = useEditOrganization(organization.id)
  const [login, setLogin] = useState(organization.authProvider)
  const shown = fieldsOfDetail(organization)
  const form = useForm({
    schema: OrganizationPatch,
    body: (fields) => organizationPatch(fields, organization, login),
    fieldOfCode: { domain_taken: 'domains' },
    send: async (patch) => {
      await edit(patch)
      toast.done(`${organization.name} saved`)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Plan" name="plan" problem={form.problems.plan} help="Only the TRIAL plan has an end date.">
          <TextInput defaultValue={shown.plan} autoComplete="off" required />
        </Field>
        <Field label="Trial ends on" name="trialEndsAt" isOptional problem={form.problems.trialEndsAt}>
          <TextInput type="date" defaultValue={shown.trialEndsAt} />
        </Field>
      </div>
      <div className="grid gap-5 sm:grid-cols-3">
        {limits.map(({ name, label }) => (
          <Field key={name} label={label} name={name} problem={form.problems[name]}>
            <TextInput inputMode="decimal" defaultValue={shown[name]} className="figures" required />
          </Field>
        ))}
      </div>
      <div className="flex flex-col gap-1.5">
        <p className="font-medium text-sm">Sign-in method</p>
        <Segmented legend="Sign-in method" name="authProvider" value={login} options={logins} onChange={setLogin} />
      </div>
      <Field
        label="Email domains"
        name="domains"
        isOptional
        problem={form.problems.domains}
        help="One per line. People with an email at these domains use this organization’s sign-in method."
      >
        <TextArea defaultValue={shown.domains} spellCheck={false} className="font-mono" />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Save organization
      </Button>
    </form>
  )
}
