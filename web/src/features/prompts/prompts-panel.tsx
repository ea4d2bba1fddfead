/** The person's prompts, and those that colleagues share. */
import type { Prompt } from '@chancery/contract/chats/prompts.ts'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { useDeletePrompt, usePrompts } from './api.ts'
import { PromptDialog } from './prompt-dialog.tsx'

export function PromptsPanel() {
  const prompts = usePrompts()
  const [open, setOpen] = useState<Prompt | 'new'>()
  const [deleting, setDeleting] = useState<Prompt>()
  const remove = useDeletePrompt(() => setDeleting(undefined))
  return (
    <Panel
      title="Prompts"
      hint="Texts you use often. Type / at the start of a message to insert one."
      action={
        <Button look="primary" icon={Plus} onClick={() => setOpen('new')}>
          New prompt
        </Button>
      }
      isFlush
    >
      <QueryTable
        label="Prompts"
        query={prompts}
        columns={columnsOf({ onEdit: setOpen, onDelete: setDeleting })}
        keyOf={({ id }) => id}
        empty={<Empty title="No prompts yet" hint="Create one for what you ask again and again." />}
      />
      <PromptDialog open={open} onClose={() => setOpen(undefined)} />
      <Confirm
        title={`Delete /${deleting?.command}?`}
        loss={deleting?.shared ? 'Colleagues lose it too.' : 'Messages that were written with it stay.'}
        action="Delete prompt"
        isOpen={deleting !== undefined}
        isPending={remove.isPending}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => setDeleting(undefined)}
      />
    </Panel>
  )
}

interface Actions {
  onEdit: (prompt: Prompt) => void
  onDelete: (prompt: Prompt) => void
}

const columnsOf = ({ onEdit, onDelete }: Actions): Column<Prompt>[] => [
  {
    head: 'Command',
    sort: ({ command }) => command,
    cell: ({ command }) => <span className="font-mono text-sm">/{command}</span>,
  },
  { head: 'Text', cell: ({ content }) => <span className="line-clamp-2 text-soft">{content}</span> },
  {
    head: 'Sharing',
    isWideOnly: true,
    cell: ({ shared, is_own }) => {
      if (!is_own) return <Badge>From a colleague</Badge>
      return shared ? <Badge tone="good">Shared</Badge> : <span className="text-faint">Only you</span>
    },
  },
  {
    head: 'Changed',
    isWideOnly: true,
    sort: ({ updated_at }) => updated_at,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    head: 'Actions',
    isActions: true,
    cell: (prompt) =>
      prompt.is_own && (
        <span className="flex justify-end gap-1">
          <Button size="small" look="quiet" aria-label={`Edit /${prompt.command}`} onClick={() => onEdit(prompt)}>
            Edit
          </Button>
          <Button size="small" look="quiet" aria-label={`Delete /${prompt.command}`} onClick={() => onDelete(prompt)}>
            Delete
          </Button>
        </span>
      ),
  },
]
