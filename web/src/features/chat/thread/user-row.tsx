/** A user message, shown as plain text: Markdown is for replies. */
import { Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { filesOf } from '../history/parts.ts'
import type { UserRow as Row } from '../history/rows.ts'
import { BranchNav } from './branch-nav.tsx'
import { EditForm } from './edit-form.tsx'
import { FileChips } from './file-chips.tsx'
import { revealOnHover } from './reply-actions.tsx'
import { useThread } from './thread-context.ts'

export const UserRow = memo(function UserRow({ row: { message, siblings } }: { row: Row }) {
  const thread = useThread()
  if (thread?.editingId === message.id) {
    return (
      <EditForm
        kind="question"
        content={message.content}
        onCancel={() => thread.onEdit(undefined)}
        onSave={(content) => {
          thread.onEdit(undefined)
          void thread.edit(message, content, thread.models)
        }}
      />
    )
  }
  return (
    <article aria-label={thread ? 'You' : 'Question'} className="group flex flex-col items-end gap-1">
      <FileChips files={filesOf(message)} />
      <p className="max-w-[85%] whitespace-pre-wrap rounded-panel bg-sunken px-4 py-2.5 text-md leading-relaxed [overflow-wrap:anywhere]">
        {message.content}
      </p>
      <div className="flex h-6 items-center gap-0.5">
        <span className={revealOnHover}>
          <CopyButton text={message.content} label="Copy message" />
          {thread && (
            <>
              <IconButton
                label="Edit message"
                icon={Pencil}
                isTiny
                disabled={thread.isBusy}
                onClick={() => thread.onEdit(message.id)}
              />
              <IconButton
                label="Delete message"
                icon={Trash2}
                isTiny
                disabled={thread.isBusy}
                onClick={() => thread.onDelete(message)}
              />
            </>
          )}
        </span>
        {thread && <BranchNav message={message} siblings={siblings} onChoose={thread.choose} />}
      </div>
    </article>
  )
})
