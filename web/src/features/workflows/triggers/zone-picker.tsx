/** A time zone picker with search; arrow keys choose, Enter selects. */
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useListKeys } from '#lib/keyboard/use-list-keys.ts'
import { cx } from '#ui/class-names.ts'
import { TextInput } from '#ui/form/inputs.tsx'
import { allZones, findZones, offsetOf, ownZone } from './zones.ts'

interface ZonePickerProps {
  value: string
  onChange: (zone: string) => void
}

/** Must be inside a Field, which provides the label. */
export function ZonePicker({ value, onChange }: ZonePickerProps) {
  const zones = useMemo(allZones, [])
  /** Undefined while not typing: the field then shows the selection. */
  const [typed, setTyped] = useState<string>()
  const listId = useId()
  const found = typed === undefined ? [] : findZones(zones, typed)
  const close = () => setTyped(undefined)
  const take = (zone: string) => {
    onChange(zone)
    close()
  }
  const { chosen, onKeyDown, restart } = useListKeys({
    items: found,
    onTake: take,
    isOpen: typed !== undefined,
    onOpen: () => setTyped(''),
    onClose: close,
  })
  const onSearchKey = (event: KeyboardEvent) => {
    onKeyDown(event)
    // Enter without a match must not submit the form.
    if (event.key === 'Enter' && typed !== undefined) event.preventDefault()
  }
  return (
    <div className="relative">
      <TextInput
        role="combobox"
        aria-expanded={typed !== undefined}
        aria-controls={listId}
        aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        value={typed ?? value}
        placeholder={value}
        onFocus={(event) => event.target.select()}
        onClick={() => typed === undefined && setTyped('')}
        onBlur={close}
        onChange={(event) => {
          setTyped(event.target.value)
          restart()
        }}
        onKeyDown={onSearchKey}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Time zones"
        hidden={typed === undefined}
        className="absolute inset-x-0 top-full z-10 mt-1 max-h-56 overflow-y-auto rounded-control bg-raised py-1 shadow-float"
      >
        {found.map((zone) => (
          <Offer key={zone} id={`${listId}-${zone}`} zone={zone} isChosen={zone === chosen} onTake={take} />
        ))}
        {typed !== undefined && found.length === 0 && <p className="px-3 py-2 text-faint">No matching time zones</p>}
      </div>
    </div>
  )
}

interface OfferProps {
  id: string
  zone: string
  isChosen: boolean
  onTake: (zone: string) => void
}

const Offer = ({ id, zone, isChosen, onTake }: OfferProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles the keys
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    ref={(element) => {
      if (isChosen) element?.scrollIntoView({ block: 'nearest' })
    }}
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => onTake(zone)}
    className={cx('flex cursor-pointer items-baseline gap-3 px-3 py-1.5 hover:bg-sunken', isChosen && 'bg-sunken')}
  >
    <span className="min-w-0 flex-1 truncate">{zone.replaceAll('_', ' ')}</span>
    {zone === ownZone() && <span className="text-faint text-sm">your time zone</span>}
    <span className="figures shrink-0 text-faint text-sm">{offsetOf(zone, new Date())}</span>
  </div>
)
