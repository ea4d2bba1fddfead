/** Searches people, groups and organizations; arrow keys choose, Enter selects. */
import { Building2, type LucideIcon, UserRound, Users } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useListKeys } from '#lib/keyboard/use-list-keys.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { type Circle, type Principal, type PrincipalType, useFoundPrincipals } from './api.ts'

export const principalIcons: Record<PrincipalType, LucideIcon> = {
  user: UserRound,
  group: Users,
  organization: Building2,
}

interface PrincipalSearchProps {
  circle: Circle
  label: string
  /** Kinds of principals that are offered; all by default. */
  types?: readonly PrincipalType[]
  taken: readonly string[]
  onTake: (principal: Principal) => void
}

export function PrincipalSearch({ circle, label, types, taken, onTake }: PrincipalSearchProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const found = useFoundPrincipals(circle, useDebounced(text.trim()))
  const offered = (found.data ?? []).filter(
    ({ id, type }) => !taken.includes(id) && (types === undefined || types.includes(type)),
  )
  const take = (principal: Principal) => {
    onTake(principal)
    setText('')
    restart()
    setOpen(false)
  }
  const { chosen, onKeyDown, restart } = useListKeys({
    items: offered,
    onTake: take,
    isOpen,
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
  })
  const onSearchKey = (event: KeyboardEvent) => {
    onKeyDown(event)
    // Enter in the search must not submit the form.
    if (event.key === 'Enter') event.preventDefault()
  }
  return (
    <div className="relative">
      <input
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${chosen.id}`}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={label}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.target.value)
          restart()
          setOpen(true)
        }}
        onKeyDown={onSearchKey}
        className="h-10 w-full rounded-control border border-b-rule bg-surface px-3 text-md focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15 sm:text-base"
      />
      {/* Positioned above the content below, so that content doesn't move away from a click. */}
      <div
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-10 mt-1 max-h-48 overflow-y-auto rounded-control bg-raised shadow-float"
      >
        {found.isError && <ErrorPanel error={found.error} onRetry={found.refetch} />}
        <div id={listId} role="listbox" aria-label={label}>
          {offered.map((principal) => (
            <Offer
              key={principal.id}
              id={`${listId}-${principal.id}`}
              principal={principal}
              isChosen={principal === chosen}
              onTake={take}
            />
          ))}
        </div>
        {found.isSuccess && offered.length === 0 && <p className="px-3 py-3 text-faint">No matches</p>}
      </div>
    </div>
  )
}

interface OfferProps {
  id: string
  principal: Principal
  isChosen: boolean
  onTake: (principal: Principal) => void
}

function Offer({ id, principal, isChosen, onTake }: OfferProps) {
  const Icon = principalIcons[principal.type]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onTake(principal)}
      className="flex cursor-pointer items-center gap-3 px-3 py-2 hover:bg-sunken aria-selected:bg-sunken"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-faint" />
      <span className="min-w-0 truncate">{principal.name}</span>
      <span className="min-w-0 flex-1 truncate text-right text-faint text-sm">{principal.detail}</span>
    </div>
  )
}
