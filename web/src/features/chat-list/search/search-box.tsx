/** The search of the list. Arrow keys select a result, Enter opens it, Escape returns to the list. */
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useMemo, useRef } from 'react'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'
import { IconButton } from '#ui/button/button.tsx'

interface SearchBoxProps {
  text: string
  onChange: (text: string) => void
  listId: string
  chosenId: string | undefined
  isOpen: boolean
  onStep: (step: 1 | -1) => void
  onEnter: () => void
}

export function SearchBox({ text, onChange, listId, chosenId, isOpen, onStep, onEnter }: SearchBoxProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  useSearchKey(inputRef)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      onStep(event.key === 'ArrowDown' ? 1 : -1)
    }
    if (event.key === 'Enter') onEnter()
    if (event.key === 'Escape' && text !== '') {
      event.stopPropagation()
      onChange('')
    }
  }
  return (
    <div className="relative">
      <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-2.5 my-auto size-4 text-faint" />
      <input
        ref={inputRef}
        role="combobox"
        aria-label="Search chats"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={chosenId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        placeholder="Search chats"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-9 w-full rounded-control border border-b-rule bg-surface pr-8 pl-8.5 text-md focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15 sm:text-base"
      />
      {text !== '' && (
        <IconButton
          label="Clear search"
          icon={X}
          isTiny
          className="absolute inset-y-0 right-1.5 my-auto"
          onClick={() => {
            onChange('')
            inputRef.current?.focus()
          }}
        />
      )}
    </div>
  )
}

function useSearchKey(inputRef: RefObject<HTMLInputElement | null>) {
  useShortcuts(useMemo(() => [{ keys: '/', label: 'Search chats', run: () => inputRef.current?.focus() }], [inputRef]))
}
