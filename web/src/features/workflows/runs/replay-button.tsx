/** Starts all runs that a filter shows again on the live version, after saying how many these are. */
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { useReplayRuns } from './api.ts'
import { type RunFilter, secondOf } from './run-filter.ts'

const runCount = (count: number) => (count === 1 ? '1 run' : `${count} runs`)

type Replayed = 'failed' | 'timed_out' | 'cancelled'

/** The filter names only statuses that can be replayed. */
export function ReplayButton({ workflowId, filter }: { workflowId: string; filter: RunFilter }) {
  const chosen = { status: filter.statuses as Replayed[], from: secondOf(filter.from), to: secondOf(filter.to) }
  const [count, setCount] = useState<number>()
  const preview = useReplayRuns(workflowId)
  const replay = useReplayRuns(workflowId)
  const onAsk = () => preview.mutate({ ...chosen, preview: true }, { onSuccess: (found) => setCount(found.count) })
  const onConfirm = () =>
    replay.mutate(
      { ...chosen, preview: false },
      {
        onSuccess: ({ run_ids }) => toast.done(`Started ${runCount(run_ids.length)} again`),
        onSettled: () => setCount(undefined),
      },
    )
  return (
    <>
      <Button size="small" isPending={preview.isPending} onClick={onAsk}>
        Run these again
      </Button>
      <Confirm
        title={count === 0 ? 'Nothing to run again' : `Run ${runCount(count ?? 0)} again?`}
        loss={
          count === 0
            ? 'These runs were already run again, or a retry has succeeded.'
            : 'Each starts from its beginning on the live version, with the same input or event. Up to 200 start at once.'
        }
        action="Run again"
        isOpen={count !== undefined}
        isPending={replay.isPending}
        onConfirm={count === 0 ? () => setCount(undefined) : onConfirm}
        onClose={() => setCount(undefined)}
      />
    </>
  )
}
