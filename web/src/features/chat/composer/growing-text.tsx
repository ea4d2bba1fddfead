/** A text area that grows with its text, up to a limit. */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'

interface GrowingTextProps {
  label: string
  value: string
  placeholder?: string
  isFocused?: boolean
  ref?: Ref<HTMLTextAreaElement>
  onChange: (value: string) => void
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: ClipboardEvent<HTMLTextAreaElement>) => void
  /** The list that completes the text, while it is open. */
  list?: { id: string; activeId: string | undefined } | undefined
}

export function GrowingText({
  label,
  value,
  placeholder,
  isFocused = false,
  ref,
  onChange,
  onKeyDown,
  onPaste,
  list,
}: GrowingTextProps) {
  const textRef = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => textRef.current as HTMLTextAreaElement)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const field = textRef.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }, [value])
  useEffect(() => {
    const field = textRef.current
    if (!isFocused || !field) return
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
  }, [isFocused])
  return (
    <textarea
      ref={textRef}
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      aria-autocomplete="list"
      aria-controls={list?.id}
      aria-activedescendant={list?.activeId}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      className="block max-h-[40dvh] w-full resize-none bg-transparent text-md leading-relaxed outline-none"
    />
  )
}
