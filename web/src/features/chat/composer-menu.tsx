/** A list above the composer that completes what is typed: arrow keys move, Enter or Tab takes, Escape closes. */
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { cx } from '#ui/class-names.ts'

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

interface MenuSettings<Item> {
  text: string
  items: readonly Item[]
  onTake: (item: Item) => void
}

export function useComposerMenu<Item extends { id: string }>({ text, items, onTake }: MenuSettings<Item>) {
  const listId = useId()
  const [closedFor, setClosedFor] = useState<string>()
  const [index, setIndex] = useState(0)
  const found = closedFor === text ? [] : items
  const chosen = found[Math.min(index, found.length - 1)]

  /** Returns whether the key was for the menu. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!chosen) return false
    const step = steps[event.key]
    if (step !== undefined) setIndex((found.indexOf(chosen) + step + found.length) % found.length)
    else if (event.key === 'Escape') setClosedFor(text)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') onTake(chosen)
    else return false
    event.preventDefault()
    return true
  }
  /** For the text field, which references the selected option. */
  const list = chosen && { id: listId, activeId: `${listId}-${chosen.id}` }
  return { listId, found, chosen, list, onTake, onKeyDown }
}

interface ComposerMenuProps<Item> {
  label: string
  menu: {
    listId: string
    found: readonly Item[]
    chosen: Item | undefined
    onTake: (item: Item) => void
  }
  children: (item: Item) => ReactNode
}

export function ComposerMenu<Item extends { id: string }>({ label, menu, children }: ComposerMenuProps<Item>) {
  const { listId, found, chosen, onTake } = menu
  if (found.length === 0) return null
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-0 bottom-full z-30 mb-2 max-h-72 animate-rise overflow-y-auto rounded-panel bg-raised p-1 shadow-float"
    >
      {found.map((item) => (
        <button
          key={item.id}
          id={`${listId}-${item.id}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={item === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
          className={cx(
            'flex w-full items-baseline gap-3 rounded-control px-2.5 py-1.5 text-left hover:bg-sunken',
            item === chosen && 'bg-sunken',
          )}
        >
          {children(item)}
        </button>
      ))}
    </div>
  )
}
