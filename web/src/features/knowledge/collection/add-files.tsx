/** The ways into a collection: files, a folder, a web page. Files can also be dropped on the list. */
import { FileUp, FolderUp, Globe, Plus } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { droppedFiles, pickedFiles } from '#lib/dropped-files.ts'
import { fieldsOf } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { DropZone } from '#ui/drop-zone.tsx'
import { Field } from '#ui/field.tsx'
import { FilePicker } from '#ui/file-picker.tsx'
import { TextInput } from '#ui/inputs.tsx'
import { Menu, MenuItem } from '#ui/menu.tsx'
import { toast } from '#ui/toast.tsx'
import { useAddPage } from '../api.ts'
import type { CollectionUploads } from './use-collection-uploads.ts'

interface AddFilesProps {
  collectionId: string
  uploads: CollectionUploads
}

export function AddFiles({ collectionId, uploads }: AddFilesProps) {
  const [isPageOpen, setPageOpen] = useState(false)
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
              <Menu trigger={trigger}>
                <MenuItem icon={FileUp} onSelect={pickFiles}>
                  Upload files
                </MenuItem>
                <MenuItem icon={FolderUp} onSelect={pickFolder}>
                  Upload a folder
                </MenuItem>
                <MenuItem icon={Globe} onSelect={() => setPageOpen(true)}>
                  Add a web page
                </MenuItem>
              </Menu>
            )}
          </FilePicker>
        )}
      </FilePicker>
      <PageDialog collectionId={collectionId} isOpen={isPageOpen} onClose={() => setPageOpen(false)} />
    </span>
  )
}

interface PageDialogProps {
  collectionId: string
  isOpen: boolean
  onClose: () => void
}

function PageDialog({ collectionId, isOpen, onClose }: PageDialogProps) {
  const add = useAddPage(collectionId)
  const [problem, setProblem] = useState<string>()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const url = fieldsOf(event.currentTarget).url?.trim() ?? ''
    if (!URL.canParse(url)) return setProblem('Enter a complete address, such as https://example.com/help.')
    setProblem(undefined)
    add.mutate(url, { onSuccess: onClose })
  }
  return (
    <Dialog
      title="Add a web page"
      hint="The page’s text is fetched once and added to this collection."
      isOpen={isOpen}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <Field label="Address" name="url" problem={problem} help="A public web page or PDF.">
          <TextInput type="url" placeholder="https://" autoComplete="off" spellCheck={false} />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={add.isPending}>
            Add page
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
