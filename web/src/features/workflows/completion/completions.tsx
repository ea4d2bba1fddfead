/**
 * Completes names while they are typed in a text field: arrow keys select, Enter or Tab takes, Escape closes the list.
 */
import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Completion, completionsAt, type Known, type Notation } from './complete.ts'

type Element = HTMLInputElement | HTMLTextAreaElement

interface Completing {
  value: string
  onText: (text: string) => void
  notation: Notation
  known: Known
  /** For a caller that needs the field too. */
  ref?: RefObject<HTMLTextAreaElement | null>
}

export function useCompletions({ value, onText, notation, known, ref }: Completing) {
  const listId = useId()
  const own = useRef<Element>(null)
  const element = ref ?? own
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState(0)
  const wantedCaret = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (wantedCaret.current === undefined) return
    element.current?.setSelectionRange(wantedCaret.current, wantedCaret.current)
    wantedCaret.current = undefined
  })
  const found = caret === undefined ? [] : completionsAt(value, caret, { notation, known })
  const chosen = found[Math.min(at, found.length - 1)]
  const take = ({ from, text }: Completion) => {
    wantedCaret.current = from + text.length
    setCaret(undefined)
    onText(value.slice(0, from) + text + value.slice(caret))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!chosen || event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((found.indexOf(chosen) + step + found.length) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen)
    else if (event.key === 'Escape') setCaret(undefined)
    else return
    // Escape closes the list alone, not the panel around it.
    event.stopPropagation()
    event.preventDefault()
  }
  /** Only what is typed opens the list, so that moving through a form doesn't. */
  const onChange = ({ currentTarget }: SyntheticEvent<Element>) => {
    setAt(0)
    setCaret(currentTarget.selectionStart ?? undefined)
    onText(currentTarget.value)
  }
  const active = chosen && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${found.indexOf(chosen)}` }
  const field = { ref: element, onChange, onKeyDown, onBlur: () => setCaret(undefined), ...active }
  return { field: { ...field, 'aria-autocomplete': 'list' as const }, listId, found, chosen, take }
}

export function Completions({ list: { listId, found, chosen, take } }: { list: ReturnType<typeof useCompletions> }) {
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Names"
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-56 overflow-y-auto rounded-control bg-raised p-1 shadow-float"
    >
      {found.map((one, index) => (
        <button
          key={one.id}
          id={`${listId}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={one === chosen}
          ref={(option) => {
            if (one === chosen) option?.scrollIntoView({ block: 'nearest' })
          }}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(one)}
          className="flex w-full items-baseline gap-3 rounded-control px-2 py-1 text-left hover:bg-sunken aria-selected:bg-sunken"
        >
          <code className="min-w-0 truncate font-mono text-sm">{one.text}</code>
          <span className="min-w-0 flex-1 truncate text-right text-faint text-xs">{one.detail}</span>
        </button>
      ))}
    </div>
  )
}
