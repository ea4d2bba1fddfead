/** Syncs members with the identity provider: start a dry run or a real one, and see the results. */
import type { SyncReport } from '@chancery/contract/organizations/sso.ts'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Empty } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { QueryTable } from '#ui/table/query-table.tsx'
import type { Column } from '#ui/table/table.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
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
    <Panel title="Directory sync" hint={<Hint checkedAt={reports.data?.checkedAt} />} action={buttons} isFlush>
      <QueryTable
        label="Sync reports"
        query={reports}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty title="No syncs yet" hint="Start with a dry run. It changes nothing." />}
      />
      <Confirm
        title="Sync with the identity provider?"
        loss="Members who no longer exist there are deactivated here, and new ones are added. Use a dry run first to see how many."
        action="Sync now"
        isOpen={isAsking}
        isPending={start.isPending}
        onConfirm={() => start.mutate(false, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </Panel>
  )
}

function Hint({ checkedAt }: { checkedAt: string | null | undefined }) {
  return (
    <>
      Syncs members with your identity provider when something changes there. A dry run only shows what would change.
      {checkedAt && (
        <>
          {' '}
          Last checked <Time at={checkedAt} />.
        </>
      )}
    </>
  )
}

const outcomes: Record<SyncReport['outcome'], { tone: Tone; word: string }> = {
  running: { tone: 'plain', word: 'Running' },
  done: { tone: 'good', word: 'Done' },
  refused: { tone: 'warn', word: 'Rejected' },
  failed: { tone: 'bad', word: 'Failed' },
}

const columns: Column<SyncReport>[] = [
  {
    head: 'Started',
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
    head: 'Result',
    isPlain: true,
    cell: ({ outcome }) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].word}</Badge>,
  },
  { head: 'Checked', isWideOnly: true, cell: ({ seen }) => seen },
  { head: 'Added', cell: ({ added }) => added },
  { head: 'Changed', cell: ({ updated }) => updated },
  { head: 'Deactivated', cell: ({ deactivated }) => deactivated },
]
