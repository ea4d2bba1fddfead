/** The members of a space: people in the organization, searched by name. */
import { X } from 'lucide-react'
import { usePrincipalName } from '#features/principals/api.ts'
import { PrincipalSearch } from '#features/principals/principal-search.tsx'
import type { MembersField } from '#features/workflows/catalogs/space-dialog.tsx'
import { IconButton } from '#ui/button/button.tsx'
import { Avatar } from '#ui/values/avatar.tsx'

export const SpaceMembers: MembersField = ({ value, onChange }) => (
  <>
    <PrincipalSearch
      circle="organization"
      label="Add a person"
      types={['user']}
      taken={value}
      onTake={({ id }) => onChange([...value, id])}
    />
    {value.length === 0 ? (
      <p className="text-faint text-sm">No members yet. Until you add one, everyone can see this space.</p>
    ) : (
      <ul aria-label="Members" className="flex flex-wrap gap-2">
        {value.map((id) => (
          <Member key={id} id={id} onRemove={() => onChange(value.filter((other) => other !== id))} />
        ))}
      </ul>
    )}
  </>
)

function Member({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data } = usePrincipalName('organization', { type: 'user', id })
  const name = data ?? '…'
  return (
    <li className="flex max-w-full items-center gap-1.5 rounded-full border bg-sunken py-0.5 pr-1 pl-1 text-sm">
      <Avatar name={name} className="size-5! text-xs!" />
      <span className="truncate">{name}</span>
      <IconButton label={`Remove ${name}`} icon={X} isTiny className="rounded-full" onClick={onRemove} />
    </li>
  )
}
