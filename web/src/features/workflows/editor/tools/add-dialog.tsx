/** Adds a node by searching: type, choose with the arrow keys, press Enter. */
import type { NodeType } from '@chancery/contract/workflows/graph.ts'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useId, useState } from 'react'
import { useListKeys } from '#lib/keyboard/use-list-keys.ts'
import { nodeKinds } from '../../kinds/node-kinds.ts'
import { findKinds } from './find-kinds.ts'

interface AddDialogProps {
  /** The node it comes after, if any. */
  after: string | undefined
  onAdd: (type: NodeType) => void
  onClose: () => void
}

export function AddDialog({ after, onAdd, onClose }: AddDialogProps) {
  const [text, setText] = useState('')
  const listId = useId()
  const found = findKinds(text)
  const take = (type: NodeType) => {
    onClose()
    onAdd(type)
  }
  const { chosen, onKeyDown, restart } = useListKeys({ items: found, onTake: take })
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-[rgb(20_22_28/0.45)]" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-x-4 top-[12vh] z-50 mx-auto flex max-h-[70vh] max-w-md animate-rise flex-col overflow-hidden rounded-panel bg-raised shadow-float"
        >
          <Dialog.Title className="px-4 pt-3 font-medium text-sm text-soft">
            {after === undefined ? 'Add a node' : `Add a node after “${after}”`}
          </Dialog.Title>
          <label className="flex items-center gap-3 border-b px-4">
            <Search aria-hidden className="size-4 text-faint" />
            <input
              role="combobox"
              aria-label="Search nodes"
              aria-expanded
              aria-controls={listId}
              aria-activedescendant={chosen && `${listId}-${chosen}`}
              aria-autocomplete="list"
              placeholder="Search nodes…"
              spellCheck={false}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                restart()
              }}
              onKeyDown={onKeyDown}
              className="h-11 flex-1 bg-transparent text-md outline-none"
            />
          </label>
          <div id={listId} role="listbox" aria-label="Nodes" className="overflow-y-auto p-2">
            {found.map((type) => (
              <KindOption
                key={type}
                id={`${listId}-${type}`}
                type={type}
                isChosen={type === chosen}
                onTake={() => take(type)}
              />
            ))}
          </div>
          {found.length === 0 && <p className="px-4 pb-6 text-center text-faint">No matching nodes</p>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface KindOptionProps {
  id: string
  type: NodeType
  isChosen: boolean
  onTake: () => void
}

function KindOption({ id, type, isChosen, onTake }: KindOptionProps) {
  const { label, icon: Icon, purpose } = nodeKinds[type]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      ref={(option) => {
        if (isChosen) option?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={onTake}
      className="flex cursor-pointer items-start gap-3 rounded-control px-3 py-2 hover:bg-sunken aria-selected:bg-sunken"
    >
      <Icon aria-hidden className="mt-1 size-4 shrink-0 text-soft" />
      <span>
        <span className="block">{label}</span>
        <span className="block text-faint text-sm">{purpose}</span>
      </span>
    </div>
  )
}
