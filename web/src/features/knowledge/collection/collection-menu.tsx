/** Actions for a whole collection. */
import type { CollectionDetail } from '@chancery/contract/files/knowledge.ts'
import { Ellipsis, FolderMinus, Pencil, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { IconButton } from '#ui/button/button.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/overlay/menu.tsx'
import { useDeleteCollection, useReindex, useReset } from '../api.ts'

interface CollectionMenuProps {
  collection: CollectionDetail
  onEdit: () => void
  onDeleted: () => void
}

export function CollectionMenu({ collection, onEdit, onDeleted }: CollectionMenuProps) {
  const { id, name, user_id, file_count } = collection
  const [asking, setAsking] = useState<'reset' | 'delete'>()
  const close = () => setAsking(undefined)
  const reindex = useReindex(id)
  const reset = useReset(id)
  const remove = useDeleteCollection(onDeleted)
  const isOwner = usePerson().id === user_id
  return (
    <span className="relative">
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={onEdit}>
          Edit and share
        </MenuItem>
        <MenuItem icon={RotateCw} onSelect={() => reindex.mutate(undefined)}>
          Re-index
        </MenuItem>
        <MenuLine />
        {file_count > 0 && (
          <MenuItem icon={FolderMinus} tone="bad" onSelect={() => setAsking('reset')}>
            Remove all files
          </MenuItem>
        )}
        {isOwner && (
          <MenuItem icon={Trash2} tone="bad" onSelect={() => setAsking('delete')}>
            Delete
          </MenuItem>
        )}
      </Menu>
      <Confirm
        title="Remove all files?"
        loss="The collection becomes empty. Uploaded files stay with their owners; fetched web pages are deleted."
        action="Remove all files"
        isOpen={asking === 'reset'}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate(undefined, { onSettled: close })}
        onClose={close}
      />
      <Confirm
        title={`Delete “${name}”?`}
        loss="Chats and agents that use it can’t search it any more. The files stay with their owners."
        action="Delete collection"
        isOpen={asking === 'delete'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ id, name }, { onSettled: close })}
        onClose={close}
      />
    </span>
  )
}

export function ReindexNote({ collection: { reindexing } }: { collection: CollectionDetail }) {
  if (!reindexing) return null
  const { done, total } = reindexing
  return (
    <div role="status" className="flex flex-wrap items-center gap-4 rounded-panel border bg-surface px-5 py-3">
      <span>
        Re-indexing: {done} of {total} files. The old index answers until it’s done.
      </span>
      <progress aria-label="Re-indexing" value={done} max={total} className="h-1.5 flex-1 accent-seal" />
    </div>
  )
}
