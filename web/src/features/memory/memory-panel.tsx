/** The facts that models may use in the viewer's own chats, and the switch for all of them. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Switch } from '#ui/form/choices.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { type Fact, useForget, useMemories, useSwitchMemory } from './api.ts'
import { FactDialog } from './fact-dialog.tsx'

export function MemoryPanel() {
  const memories = useMemories()
  const [open, setOpen] = useState<Fact | 'new'>()
  const [forgetting, setForgetting] = useState<Fact | 'all'>()
  const forget = useForget(() => setForgetting(undefined))
  const turn = useSwitchMemory()
  const isOn = memories.data?.enabled ?? true
  return (
    <>
      <Panel title="Use memory">
        <Switch
          label="Models may use and add memories"
          help="When off, memories are kept but not used, and no new ones are added."
          isOn={turn.isPending ? turn.variables : isOn}
          isPending={turn.isPending || memories.isPending}
          onChange={(next) => turn.mutate(next)}
        />
      </Panel>
      <Panel
        title="Memories"
        hint="Facts about you. Turn on Memory in a chat, and the model uses them and can add new ones. Only you can see them."
        isFlush
        action={
          <span className="flex gap-2">
            {(memories.data?.total ?? 0) > 1 && <Button onClick={() => setForgetting('all')}>Delete all</Button>}
            <Button look="primary" icon={Plus} onClick={() => setOpen('new')}>
              New memory
            </Button>
          </span>
        }
      >
        <QueryTable
          label="Memories"
          query={memories}
          columns={columnsOf({ onEdit: setOpen, onForget: setForgetting })}
          keyOf={({ id }) => id}
          empty={<Empty title="No memories yet" hint="Add a fact, or ask a model in a chat to remember one." />}
        />
      </Panel>
      <FactDialog open={open} onClose={() => setOpen(undefined)} />
      <Confirm
        title={forgetting === 'all' ? 'Delete all memories?' : 'Delete this memory?'}
        loss={forgetting === 'all' ? 'Models forget everything about you.' : forgetting?.content}
        action={forgetting === 'all' ? 'Delete all' : 'Delete'}
        isOpen={forgetting !== undefined}
        isPending={forget.isPending}
        onConfirm={() => forget.mutate(forgetting === 'all' ? undefined : forgetting?.id)}
        onClose={() => setForgetting(undefined)}
      />
    </>
  )
}

interface Actions {
  onEdit: (fact: Fact) => void
  onForget: (fact: Fact) => void
}

const columnsOf = ({ onEdit, onForget }: Actions): Column<Fact>[] => [
  { head: 'Memory', cell: ({ content }) => <span className="whitespace-pre-wrap">{content}</span> },
  {
    head: 'Added by',
    cell: ({ source }) => (source === 'model' ? <Badge>A model</Badge> : <span className="text-faint">You</span>),
  },
  { head: 'Changed', isWideOnly: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: 'Actions',
    isActions: true,
    cell: (fact) => (
      <span className="flex justify-end gap-1">
        <Button size="small" look="quiet" aria-label={`Edit “${fact.content}”`} onClick={() => onEdit(fact)}>
          Edit
        </Button>
        <Button size="small" look="quiet" aria-label={`Delete “${fact.content}”`} onClick={() => onForget(fact)}>
          Delete
        </Button>
      </span>
    ),
  },
]
