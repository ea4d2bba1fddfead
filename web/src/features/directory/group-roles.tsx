/** Which groups of the directory make somebody an administrator or a member here. */
import { Plus, X } from 'lucide-react'
import { roleNames } from '#lib/role-names.ts'
import { Button, IconButton } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Select, TextInput } from '#ui/inputs.tsx'
import type { GroupRole } from './directory-body.ts'

interface GroupRolesProps {
  rows: readonly GroupRole[]
  problem: string | undefined
  onChange: (rows: GroupRole[]) => void
}

const roles = ['ROLE_USER', 'ROLE_ORG_ADMIN'] as const

export function GroupRoles({ rows, problem, onChange }: GroupRolesProps) {
  const change = (place: number, part: Partial<GroupRole>) =>
    onChange(rows.map((row, at) => (at === place ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">Roles from groups</legend>
      <p className="text-faint text-sm">
        Once a group stands here, groups decide at each login: whoever is in none of the admin groups becomes a plain
        member. The last admin stays one. Without any, roles are set here.
      </p>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={place} className="flex items-end gap-2 max-sm:flex-wrap">
          <Field
            label="Group DN"
            name={`group-${place}`}
            problem={problem}
            className="min-w-0 flex-1 max-sm:basis-full"
          >
            <TextInput
              value={row.dn}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              className="font-mono"
              onChange={(event) => change(place, { dn: event.target.value })}
            />
          </Field>
          <Field label="Role" name={`role-${place}`} className="flex-1 sm:max-w-48">
            <Select
              value={row.role}
              onChange={(event) =>
                change(place, { role: roles.find((role) => role === event.target.value) ?? row.role })
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
            label={`Remove group ${place + 1}`}
            icon={X}
            className="mb-1"
            onClick={() => onChange(rows.filter((_, at) => at !== place))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={Plus}
        className="self-start"
        onClick={() => onChange([...rows, { dn: '', role: 'ROLE_ORG_ADMIN' }])}
      >
        Add a group
      </Button>
    </fieldset>
  )
}
