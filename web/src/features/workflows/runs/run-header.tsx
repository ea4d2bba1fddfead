/** The state of the run in one line, and its actions. */
import type { Run } from '@chancery/contract/workflows/runs.ts'
import { ArrowRight, CircleStop, GitBranch, RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { HrefLink, subtleLink } from '#ui/button/href-link.tsx'
import { cx } from '#ui/class-names.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Time } from '#ui/values/time.tsx'
import { RunStatusBadge } from '../status-badge.tsx'
import { useCancelRun, useReplayRun, useRetryRun } from './api.ts'
import { isOver } from './live-run.ts'
import { RunDuration } from './run-duration.tsx'
import type { RunLinks } from './run-links.ts'
import { RunReason } from './run-reason.tsx'
import { actingText, formatCost, formatTokens, tokensOf } from './step-labels.ts'

interface RunHeaderProps {
  run: Run
  isLost: boolean
  links: RunLinks
  onRetried: (runId: string) => void
}

export function RunHeader({ run, isLost, links, onRetried }: RunHeaderProps) {
  const tokens = tokensOf(run)
  const cost = formatCost(run, run.currency)
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-5 gap-y-2 border-b bg-surface px-4 py-2.5 sm:px-6">
      <h2 className="flex items-center gap-2.5">
        <span className="sr-only">Run, </span>
        <span role="status">
          <RunStatusBadge status={run.status} />
        </span>
        <span className="font-medium">
          <Time at={run.started_at ?? run.created_at} />
        </span>
      </h2>
      <ul
        aria-label="Run details"
        className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1 text-soft text-sm max-sm:order-last max-sm:basis-full"
      >
        <Fact>
          <RunReason run={run} links={links} />
        </Fact>
        <Fact>
          {run.is_test ? (
            'Test of the draft'
          ) : (
            <HrefLink href={links.version(run.workflow_id, run.version)} className={subtleLink}>
              Version {run.version}
            </HrefLink>
          )}
        </Fact>
        <Fact>
          {isOver(run) ? 'took' : 'for'} <RunDuration run={run} />
        </Fact>
        <Fact>{actingText(run)}</Fact>
        {tokens > 0 && <Fact>{formatTokens(tokens)}</Fact>}
        {cost !== '' && <Fact>cost {cost}</Fact>}
        {run.correlation_id !== null && (
          <Fact>
            <HrefLink href={links.timeline(run.correlation_id)} className={subtleLink}>
              <GitBranch aria-hidden className="mr-1 inline size-3.5 text-faint" />
              View process
            </HrefLink>
          </Fact>
        )}
        {isLost && <Fact>Reconnecting</Fact>}
      </ul>
      <Actions run={run} links={links} onRetried={onRetried} />
    </header>
  )
}

const Fact = ({ children }: { children: ReactNode }) => <li className="whitespace-nowrap">{children}</li>

/** Only the last retry of a chain can be retried; earlier runs link to it instead. */
function Actions({ run, links, onRetried }: Pick<RunHeaderProps, 'run' | 'links' | 'onRetried'>) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useCancelRun()
  const retry = useRetryRun(({ id }) => onRetried(id))
  const replay = useReplayRun(({ id }) => onRetried(id))
  if (run.status === 'succeeded') return null
  if (run.newest_retry !== null)
    return (
      <HrefLink
        href={links.run(run.workflow_id, run.newest_retry.id)}
        className={cx(buttonLook('plain', 'small'), 'max-sm:ml-auto')}
      >
        <ArrowRight aria-hidden className="size-3.5" />
        Go to latest retry
      </HrefLink>
    )
  if (isOver(run))
    return (
      <div className="flex flex-wrap items-center gap-1 max-sm:ml-auto">
        {!run.is_test && run.parent_run_id === null && (
          <Button
            size="small"
            title="Starts from the beginning on the live version, with the same input or event."
            isPending={replay.isPending}
            onClick={() => replay.mutate(run.id)}
          >
            Run again
          </Button>
        )}
        <Button
          icon={RotateCw}
          size="small"
          title="Starts a new run that reuses finished results and continues where this one stopped."
          isPending={retry.isPending}
          onClick={() => retry.mutate(run.id)}
        >
          {run.status === 'failed' ? 'Retry from failed node' : 'Continue from where it stopped'}
        </Button>
      </div>
    )
  return (
    <>
      <Button icon={CircleStop} size="small" className="max-sm:ml-auto" onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      <Confirm
        title="Cancel this run?"
        loss="Current work is stopped, including runs it started. Finished results are kept, and a retry can continue from there."
        action="Cancel run"
        isOpen={isAsking}
        isPending={cancel.isPending}
        onConfirm={() => cancel.mutate(run.id, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
