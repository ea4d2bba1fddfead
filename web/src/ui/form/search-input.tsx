/** A search field that applies once typing pauses. */
import { Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useShortcuts } from '#lib/keyboard/keyboard.ts'

const restMs = 250

interface SearchInputProps {
  label: string
  value: string
  onSearch: (text: string) => void
  /** True if `/` focuses it; one field of a page. */
  hasKey?: boolean
}

export function SearchInput({ label, value, onSearch, hasKey = true }: SearchInputProps) {
  const [text, setText] = useState(value)
  const inputRef = useRef<HTMLInputElement>(null)
  useShortcuts(
    useMemo(() => (hasKey ? [{ keys: '/', label, run: () => inputRef.current?.focus() }] : []), [label, hasKey]),
  )

  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onSearch(text), restMs)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])

  return (
    <label className="relative block w-full sm:w-72">
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="absolute inset-y-0 left-3 my-auto size-4 text-faint" />
      <input
        ref={inputRef}
        type="search"
        value={text}
        placeholder={label}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        className="h-9 w-full rounded-control border border-b-rule bg-surface pr-3 pl-9 text-md focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15 sm:text-base"
      />
    </label>
  )
}
