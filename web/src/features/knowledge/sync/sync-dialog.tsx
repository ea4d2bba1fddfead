/** Shows what syncing a folder would add, change and remove, before anything happens. */
import type { SyncReply } from '@chancery/contract/files/knowledge.ts'
import { ChevronRight } from 'lucide-react'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'
import { type PickedFolder, useStartSync, useSyncPreview } from './use-folder-sync.ts'

interface SyncDialogProps {
  collection: { id: string; name: string }
  folder: PickedFolder | undefined
  onClose: () => void
}

export function SyncDialog({ collection, folder, onClose }: SyncDialogProps) {
  const { data: sync, error, isError, read } = useSyncPreview(collection.id, folder)
  const start = useStartSync(collection)
  const hasChanges = sync !== undefined && hasChangesIn(sync.preview)
  const onSync = () => {
    if (folder && sync) start(folder, sync)
    onClose()
  }
  return (
    <Dialog
      title={`Sync “${folder?.name ?? ''}”`}
      hint="The collection gets exactly the files of this folder. Files that were added in other ways stay."
      isOpen={folder !== undefined}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        {isError && <ErrorPanel error={error} />}
        {!sync && !isError && folder && <Reading read={read} total={folder.files.length} />}
        {sync && <Changes preview={sync.preview} />}
        <DialogActions>
          <Button onClick={onClose}>{hasChanges || !sync ? 'Cancel' : 'Close'}</Button>
          {(hasChanges || !sync) && !isError && (
            <Button look="primary" isPending={!sync} onClick={onSync}>
              Sync folder
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  )
}

const hasChangesIn = ({ added, changed, removed }: SyncReply) => added + changed + removed > 0

const Reading = ({ read, total }: { read: number; total: number }) => (
  <div role="status" className="flex items-center gap-4">
    <span className="figures text-soft">
      Comparing {read} of {counted(total, 'file')}
    </span>
    <progress aria-label="Files compared" value={read} max={Math.max(total, 1)} className="h-1.5 flex-1 accent-seal" />
  </div>
)

function Changes({ preview }: { preview: SyncReply }) {
  const { added, changed, removed } = preview.plan ?? { added: [], changed: [], removed: [] }
  if (!hasChangesIn(preview)) return <p>Nothing to do: the collection has the same files as this folder.</p>
  return (
    <div className="flex flex-col gap-2">
      <Paths title={`Add ${counted(added.length, 'file')}`} paths={added} />
      <Paths title={`Replace ${counted(changed.length, 'changed file')}`} paths={changed.map(({ path }) => path)} />
      <Paths title={`Remove ${counted(removed.length, 'file')}`} paths={removed} isLoss />
      {preview.deleted > 0 && <p className="text-soft text-sm">{deletionOf(preview.deleted)}</p>}
      {preview.unchanged > 0 && <p className="text-faint text-sm">{counted(preview.unchanged, 'file')} unchanged.</p>}
    </div>
  )
}

const deletionOf = (count: number): string =>
  count === 1
    ? 'One of these files is also deleted from your files: a sync added it, and no other collection has it. Chats can’t read it any more.'
    : `${count} of these files are also deleted from your files: a sync added them, and no other collection has them. Chats can’t read them any more.`

const shownPaths = 200

function Paths({ title, paths, isLoss = false }: { title: string; paths: readonly string[]; isLoss?: boolean }) {
  if (paths.length === 0) return null
  return (
    <details className="group">
      <summary className={cx('flex w-fit cursor-pointer list-none items-center gap-1', isLoss && 'text-bad')}>
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <ul className="mt-1 max-h-40 overflow-y-auto pl-5 text-soft text-sm">
        {paths.slice(0, shownPaths).map((path) => (
          <li key={path} className="[overflow-wrap:anywhere]">
            {path}
          </li>
        ))}
        {paths.length > shownPaths && <li>and {paths.length - shownPaths} more</li>}
      </ul>
    </details>
  )
}
