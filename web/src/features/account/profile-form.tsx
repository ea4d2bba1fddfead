/** Name and email. */
import { MePatch } from '@chancery/contract/accounts/accounts.ts'
import { usePerson } from '#data/viewer.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { useSaveMe } from './api.ts'

export function ProfileForm() {
  const me = usePerson()
  const save = useSaveMe()
  const form = useForm({
    schema: MePatch,
    body: ({ name }) => ({ name }),
    send: async (patch) => {
      await save(patch)
      toast.done('Profile saved')
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-md flex-col gap-5">
      <Field
        label="Your name"
        name="name"
        problem={form.problems.name}
        help="Shown to other people next to what you do."
      >
        <TextInput autoComplete="name" defaultValue={me.name} required />
      </Field>
      <Field label="Email" name="email" help="You sign in with this email. It can’t be changed here.">
        <TextInput type="email" autoComplete="username" value={me.email} readOnly />
      </Field>
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" className="self-start" isPending={form.isPending}>
        Save profile
      </Button>
    </form>
  )
}
