/**
 * A text field with suggestions: type anything, or choose one with the arrow keys and Enter. Must be inside a Field.
 */
import { type KeyboardEvent, useId, useState } from 'react'
import { useListKeys } from '#lib/keyboard/use-list-keys.ts'
import { cx } from '#ui/class-names.ts'
import { useFieldControl } from './field.tsx'
import { inputLook } from './inputs.tsx'

export interface Suggestion {
  value: string
  label: string
  /** Distinguishes two with the same label. */
  detail?: string | undefined
}

interface SuggestProps {
  value: string
  suggestions: readonly Suggestion[]
  onChange: (text: string) => void
  onTake: (suggestion: Suggestion) => void
  /** Enter on text without a selected suggestion. */
  onEnter?: (text: string) => void
  /** The field lost focus, with whatever it contains. */
  onLeave?: () => void
  placeholder?: string
  /** Shown if there are no suggestions. */
  emptyHint?: string
  isMono?: boolean
}

export function Suggest({
  value,
  suggestions,
  onChange,
  onTake,
  onEnter,
  onLeave,
  placeholder,
  emptyHint,
  isMono,
}: SuggestProps) {
  const control = useFieldControl()
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const take = (suggestion: Suggestion) => {
    onTake(suggestion)
    keys.restart()
    setOpen(false)
  }
  const keys = useListKeys({
    items: suggestions,
    first: -1,
    onTake: take,
    isOpen,
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    keys.onKeyDown(event)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.defaultPrevented || !onEnter) return
    event.preventDefault()
    onEnter(value)
  }
  return (
    <div className="relative">
      <input
        {...control}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={keys.chosen && `${listId}-${keys.at}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          setOpen(false)
          onLeave?.()
        }}
        onChange={(event) => {
          onChange(event.target.value)
          keys.restart()
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
        className={cx(inputLook, 'h-10', isMono && 'font-mono')}
      />
      <div
        hidden={!isOpen || (suggestions.length === 0 && emptyHint === undefined)}
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-56 overflow-y-auto rounded-control bg-raised shadow-float"
      >
        <div id={listId} role="listbox" aria-label="Suggestions">
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles the keys
            <div
              key={suggestion.value}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === keys.at}
              ref={(option) => {
                if (suggestion === keys.chosen) option?.scrollIntoView({ block: 'nearest' })
              }}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(suggestion)}
              className="flex cursor-pointer items-baseline gap-3 px-3 py-1.5 hover:bg-sunken aria-selected:bg-sunken"
            >
              <span className="min-w-0 truncate">{suggestion.label}</span>
              {suggestion.detail !== undefined && (
                <span className="min-w-0 flex-1 truncate text-right text-faint text-sm">{suggestion.detail}</span>
              )}
            </div>
          ))}
        </div>
        {suggestions.length === 0 && <p className="px-3 py-2 text-faint text-sm">{emptyHint}</p>}
      </div>
    </div>
  )
}
