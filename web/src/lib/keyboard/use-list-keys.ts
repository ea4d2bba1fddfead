/**
 * The keys of a list below a text field: arrow keys select and wrap around, Enter accepts, Escape closes. The focus
 * stays in the text field, which passes its key presses here and references the selected option.
 */
import { type KeyboardEvent, useState } from 'react'

interface ListKeysSettings<Item> {
  items: readonly Item[]
  onTake: (item: Item) => void
  /** The initial selection: the first option by default; -1 for none, where free text is allowed too. */
  first?: number
  /** Not needed for a list that is always open. */
  isOpen?: boolean
  onOpen?: () => void
  onClose?: () => void
}

const steps: Record<string, 1 | -1 | undefined> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The index after a step, wrapping around. If the list got shorter, it continues from its end; -1 is before the first.
 */
export function stepIndex(index: number, step: 1 | -1, count: number): number {
  if (count === 0) return index
  const at = Math.min(index, count - 1)
  return at < 0 && step === -1 ? count - 1 : (at + step + count) % count
}

export function useListKeys<Item>(settings: ListKeysSettings<Item>) {
  const { items, onTake, first = 0, isOpen = true, onOpen, onClose } = settings
  const [index, setIndex] = useState(first)
  const at = isOpen ? Math.min(index, items.length - 1) : -1
  const chosen = items[at]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      // The first press opens the list and shows the selection; if there is none, it selects.
      if (isOpen || first < 0) setIndex(stepIndex(index, step, items.length))
      if (!isOpen) onOpen?.()
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      onTake(chosen)
    } else if (event.key === 'Escape' && isOpen && onClose) {
      // Closes only the list, not the dialog around it.
      event.stopPropagation()
      event.preventDefault()
      onClose()
    }
  }
  return { at, chosen, onKeyDown, restart: () => setIndex(Math.min(first, 0)) }
}
