/** The form's part about people: their place in the directory, and the attributes to read. */
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'

const attributes = [
  { name: 'email', label: 'Email attribute', fallback: 'mail', help: undefined },
  { name: 'name', label: 'Name attribute', fallback: 'cn', help: undefined },
  { name: 'uniqueId', label: 'Unique ID attribute', fallback: 'entryUUID', help: 'Such as entryUUID or objectGUID.' },
  {
    name: 'memberOf',
    label: 'Groups attribute',
    fallback: 'memberOf',
    help: 'Leave blank to search for groups that list the person.',
  },
] as const

export function PeopleFields({ current, problems }: { current: LdapSettings | undefined; problems: Problems }) {
  const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', className: 'font-mono' } as const
  return (
    <div className="flex flex-col gap-5">
      <Field label="Base DN" name="baseDn" problem={problems.baseDn} help="People are searched below this DN.">
        <TextInput {...plain} defaultValue={current?.baseDn} placeholder="ou=people,dc=example,dc=com" required />
      </Field>
      <Field
        label="User filter"
        name="userFilter"
        problem={problems.userFilter}
        help="{login} is replaced with what the person typed (escaped)."
      >
        <TextInput {...plain} defaultValue={current?.userFilter ?? '(mail={login})'} required />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        {attributes.map(({ name, label, fallback, help }) => (
          <Field key={name} label={label} name={name} problem={problems[name]} help={help}>
            <TextInput {...plain} defaultValue={current?.attributes[name] ?? fallback} />
          </Field>
        ))}
      </div>
    </div>
  )
}
