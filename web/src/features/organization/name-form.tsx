/** The organization's name. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { OrgSettingsPatch } from '@chancery/contract/organizations/team.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { useSaveOrganization } from './api.ts'

export function NameForm({ organization: { name, code } }: { organization: Organization }) {
  const save = useSaveOrganization()
  const form = useForm({
    schema: OrgSettingsPatch,
    body: (fields) => ({ name: fields.name }),
    send: async (patch) => {
      await save(patch)
      toast.done('Name saved')
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-5">
      <Field
        label="Organization name"
        name="name"
        problem={form.problems.name}
        help={`The code ${code} doesn’t change.`}
      >
        <TextInput autoComplete="organization" defaultValue={name} required />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Save name
      </Button>
    </form>
  )
}
