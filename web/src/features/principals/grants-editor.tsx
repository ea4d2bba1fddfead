/** Edits the grants of something: everyone, or the people and groups listed. */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import { X } from 'lucide-react'
import { IconButton } from '#ui/button/button.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { type Circle, usePrincipalName } from './api.ts'
import { PrincipalSearch, principalIcons } from './principal-search.tsx'

type Grants = readonly AccessGrant[] | null

interface GrantsEditorProps {
  circle: Circle
  value: Grants
  onChange: (value: AccessGrant[] | null) => void
  /** True if the caller may grant access to everyone. */
  canOpenToAll: boolean
  /** The sentence for an empty list. */
  nobody: string
  /** Offers permission to change the thing as well. */
  canGrantWrite?: boolean
}

const options = [
  { value: 'all', label: 'Everyone' },
  { value: 'some', label: 'Specific people' },
] as const

export function GrantsEditor({ circle, value, onChange, canOpenToAll, ...rest }: GrantsEditorProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 font-medium text-sm">Who can use it</legend>
      {canOpenToAll && (
        <Segmented
          legend="Who can use it"
          name="access"
          value={value === null ? 'all' : 'some'}
          options={options}
          onChange={(next) => onChange(next === 'all' ? null : [])}
        />
      )}
      {value !== null && <Named circle={circle} value={value} onChange={onChange} {...rest} />}
    </fieldset>
  )
}

interface NamedProps {
  circle: Circle
  value: readonly AccessGrant[]
  onChange: (value: AccessGrant[]) => void
  nobody: string
  canGrantWrite?: boolean
}

function Named({ circle, value, onChange, nobody, canGrantWrite = false }: NamedProps) {
  return (
    <>
      <PrincipalSearch
        circle={circle}
        label="Add a person, group or organization"
        taken={value.map(({ principal_id }) => principal_id)}
        onTake={({ type, id }) => onChange([...value, { principal_type: type, principal_id: id, permission: 'read' }])}
      />
      {value.length === 0 ? (
        <p className="text-faint text-sm">{nobody}</p>
      ) : (
        <ul aria-label="Access list" className="flex flex-wrap gap-2">
          {value.map((grant) => (
            <GrantChip
              key={grant.principal_id}
              circle={circle}
              grant={grant}
              onRemove={() => onChange(value.filter((other) => other !== grant))}
              {...(canGrantWrite && {
                onPermission: (permission) =>
                  onChange(value.map((other) => (other === grant ? { ...grant, permission } : other))),
              })}
            />
          ))}
        </ul>
      )}
    </>
  )
}

interface GrantChipProps {
  circle: Circle
  grant: AccessGrant
  onRemove: () => void
  /** Without it, the permission is shown but can't be changed. */
  onPermission?: (permission: AccessGrant['permission']) => void
}

function GrantChip({ circle, grant, onRemove, onPermission }: GrantChipProps) {
  const { principal_type, principal_id, permission } = grant
  const { data } = usePrincipalName(circle, { type: principal_type, id: principal_id })
  const Icon = principalIcons[principal_type]
  const name = data ?? '…'
  return (
    <li className="flex max-w-full items-center gap-1.5 rounded-full border bg-sunken py-0.5 pr-1 pl-2.5 text-sm">
      <Icon aria-hidden className="size-3.5 shrink-0 text-faint" />
      <span className="truncate">{name}</span>
      {!onPermission && permission === 'write' && <span className="text-faint">can edit</span>}
      {onPermission && (
        <select
          aria-label={`Permission of ${name}`}
          value={permission}
          onChange={({ target }) => onPermission(target.value === 'write' ? 'write' : 'read')}
          className="rounded-control bg-transparent text-faint hover:text-ink"
        >
          <option value="read">can read</option>
          <option value="write">can edit</option>
        </select>
      )}
      <IconButton label={`Remove ${name}`} icon={X} isTiny className="rounded-full" onClick={onRemove} />
    </li>
  )
}
