/** Keeps the members as the identity provider has them: start a pass, dry or real, and read what the last ones did. */
import type { SyncReport } from '@chancery/contract/sso.ts'
import { useState } from 'react'
import { Badge, type Tone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Confirm } from '#ui/dialog.tsx'
import { Panel } from '#ui/layout.tsx'
import { QueryTable } from '#ui/query-table.tsx'
import { Empty } from '#ui/states.tsx'
import type { Column } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { useReports, useStartSync } from './api.ts'

export function SyncPanel() {
  const reports = useReports()
  const start = useStartSync()
  const [isAsking, setAsking] = useState(false)
  const buttons = (
    <div className="flex gap-2">
      <Button isPending={start.isPending} onClick={() => start.mutate(true)}>
        Dry run
      </Button>
      <Button onClick={() => setAsking(true)}>Sync now</Button>
    </div>
  )
  return (
    <Panel
      title="Directory sync"
      hint="Compares the members with your identity provider. A dry run only says what it would do."
      action={buttons}
      isFlush
    >
      <QueryTable
        label="Sync reports"
        query={reports}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No pass yet" hint="Begin with a dry run: it changes nothing." />}
      />
      <Confirm
        title="Sync with the identity provider?"
        loss="Members who are gone there are deactivated here, new ones are added. A dry run shows beforehand how many."
        action="Sync now"
        isOpen={isAsking}
        isPending={start.isPending}
        onConfirm={() => start.mutate(false, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  )
}

const outcomes: Record<SyncReport['outcome'], { tone: Tone; word: string }> = {
  running: { tone: 'plain', word: 'Running' },
  done: { tone: 'good', word: 'Done' },
  refused: { tone: 'warn', word: 'Refused' },
  failed: { tone: 'bad', word: 'Failed' },
}

const columns: Column<SyncReport>[] = [
  {
    head: 'Pass',
    cell: ({ startedAt, dryRun, detail }) => (
      <>
        <span className="flex items-center gap-2 font-medium">
          <Time at={startedAt} /> {dryRun && <Badge>Dry run</Badge>}
        </span>
        {detail !== '' && <span className="block max-w-prose text-soft text-sm">{detail}</span>}
      </>
    ),
  },
  {
    head: 'Outcome',
    isPlain: true,
    cell: ({ outcome }) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].word}</Badge>,
  },
  { head: 'Seen', isWideOnly: true, cell: ({ seen }) => seen },
  { head: 'Added', cell: ({ added }) => added },
  { head: 'Changed', cell: ({ updated }) => updated },
  { head: 'Deactivated', cell: ({ deactivated }) => deactivated },
]
