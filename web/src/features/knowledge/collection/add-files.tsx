/** The ways into a collection: files, a folder, web pages. Files can also be dropped on the list. */
import { FileUp, FolderSync, FolderUp, Globe, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { droppedFiles, folderFiles, pickedFiles } from '#lib/browser/dropped-files.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { DropZone } from '#ui/form/drop-zone.tsx'
import { FilePicker } from '#ui/form/file-picker.tsx'
import { Menu, MenuItem } from '#ui/overlay/menu.tsx'
import { SyncDialog } from '../sync/sync-dialog.tsx'
import type { PickedFolder } from '../sync/use-folder-sync.ts'
import { AddPagesDialog } from './add-pages-dialog.tsx'
import type { CollectionUploads } from './use-collection-uploads.ts'

interface AddFilesProps {
  collection: { id: string; name: string }
  uploads: CollectionUploads
}

export function AddFiles({ collection, uploads }: AddFilesProps) {
  const [isPageOpen, setPageOpen] = useState(false)
  const [folder, setFolder] = useState<PickedFolder>()
  const onPickToSync = (list: FileList | null) => {
    const files = folderFiles(list)
    const name = files[0]?.webkitRelativePath.split('/')[0] ?? ''
    if (files.length > 0) setFolder({ key: Date.now(), name, files })
  }
  const trigger = (
    <Button look="primary" icon={Plus}>
      Add files
    </Button>
  )
  return (
    <span className="relative">
      <FilePicker label="Files" onPick={(files) => uploads.start(pickedFiles(files))}>
        {(pickFiles) => (
          <FilePicker label="Folder" isFolder onPick={(files) => uploads.start(pickedFiles(files))}>
            {(pickFolder) => (
              <FilePicker label="Folder to sync" isFolder onPick={onPickToSync}>
                {(pickToSync) => (
                  <Menu trigger={trigger}>
                    <MenuItem icon={FileUp} onSelect={pickFiles}>
                      Upload files
                    </MenuItem>
                    <MenuItem icon={FolderUp} onSelect={pickFolder}>
                      Upload a folder
                    </MenuItem>
                    <MenuItem icon={FolderSync} onSelect={pickToSync}>
                      Sync a folder
                    </MenuItem>
                    <MenuItem icon={Globe} onSelect={() => setPageOpen(true)}>
                      Add web pages
                    </MenuItem>
                  </Menu>
                )}
              </FilePicker>
            )}
          </FilePicker>
        )}
      </FilePicker>
      <AddPagesDialog collectionId={collection.id} isOpen={isPageOpen} onClose={() => setPageOpen(false)} />
      <SyncDialog collection={collection} folder={folder} onClose={() => setFolder(undefined)} />
    </span>
  )
}

interface DropTargetProps {
  uploads: CollectionUploads
  canWrite: boolean
  children: ReactNode
}

export function DropTarget({ uploads, canWrite, children }: DropTargetProps) {
  if (!canWrite) return children
  const onFiles = (transfer: DataTransfer) => void droppedFiles(transfer).then(uploads.start, toast.failed)
  return (
    <DropZone label="Files of the collection" hint="Drop files or folders to add them" onFiles={onFiles}>
      {children}
    </DropZone>
  )
}
