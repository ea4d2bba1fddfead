/** Maps directory groups to roles. */
import { Plus, X } from 'lucide-react'
import { roleNames } from '#lib/text/role-names.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import type { GroupRole } from './directory-body.ts'

interface GroupRolesProps {
  rows: readonly GroupRole[]
  problem: string | undefined
  onChange: (rows: GroupRole[]) => void
}

const roles = ['ROLE_USER', 'ROLE_ORG_ADMIN'] as const

export function GroupRoles({ rows, problem, onChange }: GroupRolesProps) {
  const change = (index: number, part: Partial<GroupRole>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">Roles from groups</legend>
      <p className="text-faint text-sm">
        If you add groups, they set the role at each sign-in: people who aren’t in an admin group become members. The
        last admin always stays admin. Without groups, you set roles here.
      </p>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity except their index
        <div key={index} className="flex items-end gap-2 max-sm:flex-wrap">
          <Field
            label="Group DN"
            name={`group-${index}`}
            problem={problem}
            className="min-w-0 flex-1 max-sm:basis-full"
          >
            <TextInput
              value={row.dn}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              className="font-mono"
              onChange={(event) => change(index, { dn: event.target.value })}
            />
          </Field>
          <Field label="Role" name={`role-${index}`} className="flex-1 sm:max-w-48">
            <Select
              value={row.role}
              onChange={(event) =>
                change(index, { role: roles.find((role) => role === event.target.value) ?? row.role })
              }
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {roleNames[role]}
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
      <Button
        size="small"
        icon={Plus}
        className="self-start"
        onClick={() => onChange([...rows, { dn: '', role: 'ROLE_ORG_ADMIN' }])}
      >
        Add group
      </Button>
    </fieldset>
  )
}
