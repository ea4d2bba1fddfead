/** Renames in place: Enter or blur saves, Escape cancels. */
import { type KeyboardEvent, useEffect, useRef } from 'react'

interface RenameFieldProps {
  label: string
  value: string
  maxLength: number
  placeholder?: string
  /** Called with the old name if it was cancelled. */
  onDone: (value: string) => void
}

export function RenameField({ label, value, maxLength, placeholder, onDone }: RenameFieldProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    // After the menu has returned the focus to its button.
    const timer = setTimeout(() => {
      inputRef.current?.focus()
      inputRef.current?.select()
    })
    return () => clearTimeout(timer)
  }, [])

  const finish = (result: string) => {
    if (isOver.current) return
    isOver.current = true
    onDone(result.trim())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(event.currentTarget.value)
    if (event.key === 'Escape') {
      event.preventDefault()
      finish(value)
    }
  }
  return (
    <input
      ref={inputRef}
      aria-label={label}
      defaultValue={value}
      maxLength={maxLength}
      placeholder={placeholder}
      onKeyDown={onKeyDown}
      onBlur={(event) => document.hasFocus() && finish(event.currentTarget.value)}
      className="h-8 w-full rounded-control border border-ink bg-surface px-2 text-md outline-none ring-2 ring-ink/15 sm:text-base"
    />
  )
}
