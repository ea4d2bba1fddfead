/**
 * The keys of a list below a text: the arrows choose and go round, Enter takes, Escape closes. The focus stays in the
 * text, which hands its key presses here and names the option that is chosen.
 */
import { type KeyboardEvent, useState } from 'react'

interface ListKeysSettings<Item> {
  items: readonly Item[]
  onTake: (item: Item) => void
  /** Which one is chosen before anybody did: the first, unless told; -1 for none, where any text may be entered too. */
  first?: number
  /** A list that is always there needs none of these three. */
  isOpen?: boolean
  onOpen?: () => void
  onClose?: () => void
}

const steps: Record<string, 1 | -1 | undefined> = { ArrowDown: 1, ArrowUp: -1 }

/** The place after a step, round the ends. A list that grew shorter is left from its end, and -1 is before the first. */
export function stepPlace(place: number, step: 1 | -1, count: number): number {
  if (count === 0) return place
  const at = Math.min(place, count - 1)
  return at < 0 && step === -1 ? count - 1 : (at + step + count) % count
}

export function useListKeys<Item>(settings: ListKeysSettings<Item>) {
  const { items, onTake, first = 0, isOpen = true, onOpen, onClose } = settings
  const [place, setPlace] = useState(first)
  const at = isOpen ? Math.min(place, items.length - 1) : -1
  const chosen = items[at]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      // Opening a list shows what is chosen in it; where nothing is, the step chooses.
      if (isOpen || first < 0) setPlace(stepPlace(place, step, items.length))
      if (!isOpen) onOpen?.()
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      onTake(chosen)
    } else if (event.key === 'Escape' && isOpen && onClose) {
      // Only the list closes, not the dialog that it may be in.
      event.stopPropagation()
      event.preventDefault()
      onClose()
    }
  }
  return { at, chosen, onKeyDown, restart: () => setPlace(Math.min(first, 0)) }
}
