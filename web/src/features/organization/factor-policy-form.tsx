/** The second factor that members need, and from when on. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { OrgSettingsPatch } from '@chancery/contract/organizations/team.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Fields, useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { textLink } from '#ui/button/href-link.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { useSaveOrganization } from './api.ts'

const policies = [
  { value: 'none', label: 'Nothing more', about: 'Each person decides for themselves.' },
  {
    value: 'any',
    label: 'Any second factor',
    about: 'A passkey, an authenticator app or an emailed code. Members without one set it up at their next sign-in.',
  },
  {
    value: 'phishing_resistant',
    label: 'A passkey',
    about: 'Nothing else is safe from phishing. Members without one set it up at their next sign-in.',
  },
] as const

/** A day begins at midnight where the admin is. */
const dayOf = (at: string | null): string => {
  if (at === null) return ''
  const day = new Date(at)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

const bodyOf = ({ factorPolicy, day = '' }: Fields) => ({
  factorPolicy,
  factorPolicyFrom: day === '' ? null : new Date(`${day}T00:00`).toISOString(),
})

export function FactorPolicyForm({ organization }: { organization: Organization }) {
  const save = useSaveOrganization()
  const [policy, setPolicy] = useState<string>(organization.factorPolicy)
  const form = useForm({
    schema: OrgSettingsPatch,
    body: bodyOf,
    send: async (patch) => {
      await save(patch)
      toast.done('Saved')
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-5">
      <Field
        label="Members need"
        name="factorPolicy"
        problem={form.problems.factorPolicy}
        help={
          <>
            {policies.find(({ value }) => value === policy)?.about}{' '}
            <Link to="/organization/members" search={{ factors: 'none' }} className={textLink}>
              See who has none
            </Link>
          </>
        }
      >
        <Select value={policy} onChange={({ target }) => setPolicy(target.value)}>
          {policies.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {policy !== 'none' && (
        <Field
          label="From"
          name="day"
          isOptional
          problem={form.problems.factorPolicyFrom}
          help="Leave it empty to begin now. Give people some days to prepare."
        >
          <TextInput type="date" defaultValue={dayOf(organization.factorPolicyFrom)} />
        </Field>
      )}
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Save
      </Button>
    </form>
  )
}
