/** A name being changed where it stands: Enter or leaving keeps it, Escape does not. */
import { type KeyboardEvent, useEffect, useRef } from 'react'

interface RenameFieldProps {
  label: string
  value: string
  maxLength: number
  placeholder?: string
  /** With what it was when it shall stay so. */
  onDone: (value: string) => void
}

export function RenameField({ label, value, maxLength, placeholder, onDone }: RenameFieldProps) {
  const place = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    // After the menu that led here has given the focus back to its button.
    const timer = setTimeout(() => {
      place.current?.focus()
      place.current?.select()
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
      ref={place}
      aria-label={label}
      defaultValue={value}
      maxLength={maxLength}
      placeholder={placeholder}
      onKeyDown={onKeyDown}
      onBlur={(event) => document.hasFocus() && finish(event.currentTarget.value)}
      className="h-8 w-full rounded-control border border-seal bg-surface px-2 text-md outline-none ring-2 ring-seal/25 sm:text-base"
    />
  )
}
