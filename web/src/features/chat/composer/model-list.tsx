/** The model list, with a search field. */
import type { ModelItem } from '@chancery/contract/models/models.ts'
import { Check, Pin, Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useListKeys } from '#lib/keyboard/use-list-keys.ts'
import { cx } from '#ui/class-names.ts'
import { Badge } from '#ui/values/badge.tsx'
import { matchModels } from './model-choice.ts'

interface ModelListProps {
  models: readonly ModelItem[]
  pinned: readonly string[]
  chosen: readonly string[]
  isComparing: boolean
  onTake: (id: string) => void
}

export function ModelList({ models, pinned, chosen, isComparing, onTake }: ModelListProps) {
  const listId = useId()
  const [text, setText] = useState('')
  const found = matchModels(models, text)
  const inUse = models.findIndex(({ id }) => id === chosen[0])
  const keys = useListKeys({ items: found, first: Math.max(0, inUse), onTake: ({ id }) => onTake(id) })
  return (
    <>
      <label className="flex items-center gap-3 border-b px-4">
        <Search aria-hidden className="size-4 text-faint" />
        <span className="sr-only">Search models</span>
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={keys.chosen && `${listId}-${keys.at}`}
          aria-autocomplete="list"
          placeholder="Search models"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            keys.restart()
          }}
          onKeyDown={keys.onKeyDown}
          className="h-11 flex-1 bg-transparent text-md outline-none sm:text-base"
        />
      </label>
      <div
        id={listId}
        role="listbox"
        aria-label="Models"
        aria-multiselectable={isComparing}
        className="max-h-80 overflow-y-auto p-1.5"
      >
        {found.length === 0 && <p className="px-3 py-6 text-center text-faint">No matching models</p>}
        {found.map((model, index) => (
          <ModelOption
            key={model.id}
            id={`${listId}-${index}`}
            model={model}
            isCurrent={index === keys.at}
            isChosen={chosen.includes(model.id)}
            isPinned={pinned.includes(model.id)}
            onTake={onTake}
          />
        ))}
      </div>
    </>
  )
}

interface ModelOptionProps {
  id: string
  model: ModelItem
  isCurrent: boolean
  isChosen: boolean
  isPinned: boolean
  onTake: (id: string) => void
}

function ModelOption({ id, model, isCurrent, isChosen, isPinned, onTake }: ModelOptionProps) {
  const elementRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isCurrent) elementRef.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles the keys
    <div
      ref={elementRef}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={() => onTake(model.id)}
      className={cx(
        'flex cursor-pointer items-start gap-3 rounded-control px-3 py-2 hover:bg-sunken',
        isCurrent && 'bg-sunken',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{model.name}</span>
          {isPinned && <Pin aria-label="Pinned" className="size-3.5 shrink-0 text-faint" />}
          {model.unavailable && <Badge tone="warn">Unavailable</Badge>}
        </span>
        <span className="block truncate text-faint text-sm">{model.description ?? model.owned_by}</span>
        {(model.capabilities ?? []).length > 0 && (
          <span className="mt-1 flex flex-wrap gap-1">
            {(model.capabilities ?? []).map((name) => (
              <Badge key={name}>{name.replaceAll('_', ' ')}</Badge>
            ))}
          </span>
        )}
      </span>
      <Check aria-hidden className={cx('mt-1 size-4 shrink-0 text-seal', !isChosen && 'invisible')} />
    </div>
  )
}
