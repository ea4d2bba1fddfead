/** The editor's bar: title, saving, undo, zoom, and on to the review. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { useMutation } from '@tanstack/react-query'
import { Redo2, Undo2, ZoomIn, ZoomOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { problemText } from '#lib/problems/problem-text.ts'
import { Button, IconButton } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { usePatchDocument } from '../documents/api.ts'
import type { Editor } from './use-editor.ts'

const zooms: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 2]

interface ToolbarProps {
  document: SigningDocument
  editor: Editor
  zoom: number
  onZoom: (zoom: number) => void
  onReview: () => void
  /** The menu that every document has. */
  menu: ReactNode
  back: ReactNode
}

export function Toolbar({ document, editor, zoom, onZoom, onReview, menu, back }: ToolbarProps) {
  const index = zooms.indexOf(zoom)
  const [smaller, larger] = [zooms[index - 1], zooms[index + 1]]
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface px-4 py-2">
      {back}
      <Title document={document} />
      <SaveNote editor={editor} />
      <div className="flex items-center gap-1">
        <IconButton label="Undo" icon={Undo2} disabled={!editor.canUndo} onClick={editor.undo} />
        <IconButton label="Redo" icon={Redo2} disabled={!editor.canRedo} onClick={editor.redo} />
        <span className="flex items-center max-sm:hidden">
          <IconButton
            label="Zoom out"
            icon={ZoomOut}
            disabled={smaller === undefined}
            onClick={() => smaller !== undefined && onZoom(smaller)}
          />
          <span className="figures w-11 text-center text-soft text-sm">{Math.round(zoom * 100)}%</span>
          <IconButton
            label="Zoom in"
            icon={ZoomIn}
            disabled={larger === undefined}
            onClick={() => larger !== undefined && onZoom(larger)}
          />
        </span>
        {menu}
      </div>
      <Button look="primary" className="max-sm:flex-1" onClick={onReview}>
        Review and send
      </Button>
    </header>
  )
}

/** Two tabs edit one draft: the person decides which fields stay. */
export function ConflictNotice({ editor: { saving, takeTheirs, keepMine } }: { editor: Editor }) {
  const decide = useMutation({ mutationFn: (act: () => Promise<void>) => act(), onError: toast.failed })
  if (saving.status !== 'conflict') return null
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-bad-wash px-4 py-2 text-bad text-sm"
    >
      <span className="min-w-0 flex-1 basis-60">
        The fields were changed in another tab. Use that version, or keep yours and replace it.
      </span>
      <span className="flex gap-2">
        <Button size="small" isPending={decide.isPending} onClick={() => decide.mutate(takeTheirs)}>
          Use the other version
        </Button>
        <Button size="small" isPending={decide.isPending} onClick={() => decide.mutate(keepMine)}>
          Keep mine
        </Button>
      </span>
    </div>
  )
}

function Title({ document }: { document: SigningDocument }) {
  const patch = usePatchDocument(document.id)
  const save = (title: string) => {
    if (title.trim() !== '' && title.trim() !== document.title) patch.mutate({ title: title.trim() })
  }
  return (
    <h1 className="min-w-40 flex-1">
      <input
        key={document.title}
        aria-label="Title"
        defaultValue={document.title}
        maxLength={200}
        onBlur={({ target }) => save(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
        className="w-full truncate rounded-control px-2 py-1 font-medium font-serif text-md hover:bg-sunken focus:bg-surface"
      />
    </h1>
  )
}

function SaveNote({ editor: { saving, flush } }: { editor: Editor }) {
  if (saving.status === 'conflict')
    return (
      <span role="status" className="text-bad text-sm">
        Not saved
      </span>
    )
  if (saving.status !== 'failed')
    return (
      <span role="status" className="text-faint text-sm">
        {saving.status === 'saving' ? 'Saving…' : 'Saved'}
      </span>
    )
  const { error } = saving
  const [problem] = error instanceof ApiError ? error.problems : []
  const text = problem ? problemText(problem.msg) : error instanceof Error ? error.message : 'Something went wrong.'
  return (
    <span role="alert" className="flex items-center gap-2 text-bad text-sm">
      Not saved. {text}
      <Button size="small" onClick={() => void flush().catch(() => undefined)}>
        Try again
      </Button>
    </span>
  )
}
