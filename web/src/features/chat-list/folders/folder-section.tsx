/** Folders and their contents. */
import type { Folder } from '@chancery/contract/chats/chats.ts'
import { useQuery } from '@tanstack/react-query'
import { FolderPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { foldersQuery } from '../api.ts'
import { folderTree } from '../folder-tree.ts'
import { ListFailure, SectionHead } from '../rows/list-states.tsx'
import { RenameField } from '../rows/rename-field.tsx'
import { FolderBranch } from './folder-branch.tsx'
import { useFolderActions } from './use-folder-actions.ts'

export function FolderSection() {
  const folders = useQuery(foldersQuery)
  const actions = useFolderActions()
  const [isNaming, setNaming] = useState(false)
  const [deleting, setDeleting] = useState<Folder>()
  const id = useId()
  const create = (name: string) => {
    setNaming(false)
    if (name !== '') actions.create(name, null)
  }
  const add = <IconButton label="New folder" icon={FolderPlus} isTiny onClick={() => setNaming(true)} />
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} action={add}>
        Folders
      </SectionHead>
      {folders.isError && <ListFailure error={folders.error} onRetry={folders.refetch} />}
      {isNaming && (
        <RenameField label="Folder name" placeholder="Folder name" value="" maxLength={120} onDone={create} />
      )}
      <ul>
        {folderTree(folders.data ?? []).map((node) => (
          <FolderBranch key={node.folder.id} node={node} actions={actions} onDelete={setDeleting} />
        ))}
      </ul>
      <Confirm
        title={`Delete folder “${deleting?.name}”?`}
        loss="Its chats are kept and move out of the folder. Subfolders are deleted too."
        action="Delete folder"
        isOpen={deleting !== undefined}
        isPending={actions.isPending}
        onConfirm={() => deleting && actions.remove(deleting, () => setDeleting(undefined))}
        onClose={() => setDeleting(undefined)}
      />
    </section>
  )
}
