/** Roles and groups that the provider's claims give. */
import type { IdentityProvider } from '@chancery/contract/organizations/identity-providers.ts'
import { Plus, X } from 'lucide-react'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import type { Choices } from './provider-body.ts'

export interface GroupChoice {
  id: string
  name: string
}

interface MappingFieldsProps {
  current: IdentityProvider | undefined
  groups: readonly GroupChoice[]
  rows: Choices['groups']
  problems: Problems
  onChange: (rows: Choices['groups']) => void
}

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none', className: 'font-mono' } as const

export function MappingFields({ current, groups, rows, problems, onChange }: MappingFieldsProps) {
  const mapping = current?.mapping
  const change = (index: number, part: Partial<Choices['groups'][number]>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-1 font-medium text-sm">Roles and groups</legend>
      <p className="text-faint text-sm">
        With a role claim, it sets the role at each sign-in: people without an admin value become members. The last
        admin always stays admin. Groups that aren’t listed here are left alone.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Role claim" name="roleClaim" isOptional problem={problems.roleClaim} help="Such as roles.">
          <TextInput {...plain} defaultValue={mapping?.roleClaim} />
        </Field>
        <Field
          label="Admin values"
          name="adminValues"
          isOptional
          problem={problems.adminValues}
          help="Separate with commas."
        >
          <TextInput {...plain} defaultValue={mapping?.adminValues.join(', ')} />
        </Field>
        <Field label="Groups claim" name="groupsClaim" isOptional problem={problems.groupsClaim} help="Such as groups.">
          <TextInput {...plain} defaultValue={mapping?.groupsClaim} />
        </Field>
      </div>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity except their index
        <div key={index} className="flex items-end gap-2 max-sm:flex-wrap">
          <Field label="Value" name={`value-${index}`} className="min-w-0 flex-1 max-sm:basis-full">
            <TextInput
              {...plain}
              value={row.value}
              onChange={(event) => change(index, { value: event.target.value })}
            />
          </Field>
          <Field label="Group" name={`group-${index}`} className="min-w-0 flex-1">
            <Select value={row.groupId} onChange={(event) => change(index, { groupId: event.target.value })}>
              {groups.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <IconButton
            label={`Remove group ${index + 1}`}
            icon={X}
            className="mb-1"
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {groups[0] !== undefined && (
        <Button
          size="small"
          icon={Plus}
          className="self-start"
          onClick={() => onChange([...rows, { value: '', groupId: groups[0]?.id ?? '' }])}
        >
          Add group
        </Button>
      )}
    </fieldset>
  )
}
