/** Notices above the canvas: an edit conflict, a failed save, a review that editing would end. */
import type { WorkflowStatus } from '@chancery/contract/workflows/workflows.ts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import type { SaveState } from '../state/draft-saver.ts'

interface NoticesProps {
  saveState: SaveState
  status: WorkflowStatus
  onTheirs: () => Promise<void>
  onMine: () => Promise<void>
}

export function Notices({ saveState, status, onTheirs, onMine }: NoticesProps) {
  if (saveState.kind === 'conflict') return <ConflictNotice onTheirs={onTheirs} onMine={onMine} />
  if (saveState.kind === 'failed') {
    const { error } = saveState
    return (
      <Notice tone="bad">
        {error instanceof Error ? error.message : 'Couldn’t save your changes.'} Your changes are kept in this tab and
        will be saved once that works again.
      </Notice>
    )
  }
  return status === 'Staged' ? (
    <Notice tone="warn">
      This workflow is in review. Editing it turns it back into a draft, and you’ll have to submit it again.
    </Notice>
  ) : null
}

function ConflictNotice({ onTheirs, onMine }: Pick<NoticesProps, 'onTheirs' | 'onMine'>) {
  const decide = useMutation({
    mutationFn: (choice: 'theirs' | 'mine') => (choice === 'theirs' ? onTheirs() : onMine()),
    onError: toast.failed,
  })
  return (
    <Notice tone="bad">
      <span className="min-w-0 flex-1 basis-60">
        Someone else changed this workflow since you opened it. Use their version (you can undo that), or keep yours and
        replace theirs.
      </span>
      <span className="flex gap-2">
        <Button size="small" isPending={decide.isPending} onClick={() => decide.mutate('theirs')}>
          Use theirs
        </Button>
        <Button size="small" isPending={decide.isPending} onClick={() => decide.mutate('mine')}>
          Keep mine
        </Button>
      </span>
    </Notice>
  )
}

const looks = { bad: 'bg-bad-wash text-bad', warn: 'bg-warn-wash text-warn' }

const Notice = ({ tone, children }: { tone: keyof typeof looks; children: ReactNode }) => (
  <div role="alert" className={`flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-2 text-sm ${looks[tone]}`}>
    {children}
  </div>
)
