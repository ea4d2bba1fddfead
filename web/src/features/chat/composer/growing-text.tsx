/** A text field as tall as its text, up to a point. */
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'

interface GrowingTextProps {
  label: string
  value: string
  placeholder?: string
  isFocused?: boolean
  ref?: Ref<HTMLTextAreaElement>
  onChange: (value: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
}

export function GrowingText({
  label,
  value,
  placeholder,
  isFocused = false,
  ref,
  onChange,
  onKeyDown,
}: GrowingTextProps) {
  const place = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => place.current as HTMLTextAreaElement)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const field = place.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }, [value])
  useEffect(() => {
    const field = place.current
    if (!isFocused || !field) return
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
  }, [isFocused])
  return (
    <textarea
      ref={place}
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      className="block max-h-[40dvh] w-full resize-none bg-transparent text-md leading-relaxed outline-none"
    />
  )
}
