/** The tray for background work: uploads, files being processed, folders being synced, web pages being added, chats being imported,
 * collections being indexed again. Hidden while idle. */
import { Activity } from 'lucide-react'
import { useState } from 'react'
import { UploadRow } from '#data/upload-row.tsx'
import { counted } from '#lib/text/counted.ts'
import { cx } from '#ui/class-names.ts'
import { WorkRow } from '#ui/feedback/work-row.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { useActivity } from './api.ts'

/** `isOn`: false for platform admins, who have no files here. */
export function ActivityTray({ isOn }: { isOn: boolean }) {
  const { uploads, works, files, collections, crawls, imports, count } = useActivity(isOn)
  const [isOpen, setOpen] = useState(false)
  if (count === 0 && !isOpen) return null
  const trigger = (
    <button
      type="button"
      aria-label={`Activity: ${count} in progress`}
      className="flex h-9 items-center gap-2 rounded-full border bg-surface px-3 text-soft text-sm shadow-float hover:text-ink"
    >
      <Activity aria-hidden className={cx('size-4', count > 0 && 'animate-breathe text-seal-text')} />
      <span className="figures">{count}</span>
    </button>
  )
  return (
    <Popover
      label="Activity"
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={setOpen}
      side="top"
      align="end"
      className="w-96 max-w-[calc(100vw-2rem)]"
    >
      <p className="border-b px-5 py-3 font-medium">Activity</p>
      <ul aria-label="In progress" className="max-h-80 divide-y divide-line overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
        {works.map((work) => (
          <WorkRow key={work.id} work={work} />
        ))}
        {collections.items.map(({ id, name, reindexing }) => (
          <Row
            key={id}
            name={name}
            word={reindexing ? `Re-indexing ${reindexing.done} of ${reindexing.total}` : 'Re-indexing'}
          />
        ))}
        {crawls.map(({ id, url, pages: { added, waiting } }) => (
          <Row key={id} name={url} word={`${counted(added, 'page')} added, ${waiting} to go`} />
        ))}
        {imports.map(({ import_id: id, imported, read_bytes: read, total_bytes: total }) => (
          <Row
            key={id}
            name="Importing chats"
            word={counted(imported, 'chat') + (total ? `, ${Math.round((100 * read) / total)}%` : '')}
          />
        ))}
        {files.items.map(({ id, filename }) => (
          <Row key={id} name={filename} word="Processing" />
        ))}
      </ul>
      {count === 0 && <p className="px-5 py-4 text-soft">All done.</p>}
      {files.total > files.items.length && (
        <p className="border-t px-5 py-2 text-faint text-sm">
          {counted(files.total - files.items.length, 'more file')} waiting.
        </p>
      )}
    </Popover>
  )
}

const Row = ({ name, word }: { name: string; word: string }) => (
  <li className="flex items-center gap-4 px-5 py-2">
    <span className="min-w-0 flex-1 truncate">{name}</span>
    <span className="figures text-faint text-sm">{word}</span>
  </li>
)
