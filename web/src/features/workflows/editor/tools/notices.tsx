/** What must be known while editing: somebody else's change, a call that failed, a review that an edit would end. */
import type { WorkflowStatus } from '@chancery/contract/workflows.ts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
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
        {error instanceof Error ? error.message : 'The server did not take it.'} Your changes are kept here until it
        does.
      </Notice>
    )
  }
  return status === 'Staged' ? (
    <Notice tone="warn">
      This workflow is in review. A change takes it back to draft, and it has to be submitted again.
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
        Somebody changed this workflow since you began. Take theirs, and yours is one undo away; or keep yours, and
        theirs is replaced.
      </span>
      <span className="flex gap-2">
        <Button size="small" isPending={decide.isPending} onClick={() => decide.mutate('theirs')}>
          Take theirs
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
