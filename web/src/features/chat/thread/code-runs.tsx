/** Code that ran for a reply, with what came of it. */
import { CircleAlert } from 'lucide-react'
import { cx } from '#ui/class-names.ts'
import type { CodeRun } from '../history/steps.ts'
import { Detail } from './detail.tsx'
import { Fold } from './fold.tsx'

interface CodeRunsProps {
  runs: readonly CodeRun[]
  isRunning: boolean
}

export function CodeRuns({ runs, isRunning }: CodeRunsProps) {
  if (runs.length === 0) return null
  return (
    <ol aria-label="Code runs" className="flex flex-col gap-1.5">
      {runs.map((run) => (
        <li key={run.id}>
          <Run run={run} isRunning={isRunning && !run.isDone} />
        </li>
      ))}
    </ol>
  )
}

function Run({ run: { name, language, code, output, error }, isRunning }: { run: CodeRun; isRunning: boolean }) {
  const summary = (
    <>
      <span className={cx('truncate', isRunning && 'shimmer')}>
        {isRunning ? 'Running' : 'Ran'} {name}
      </span>
      {error !== '' && <CircleAlert aria-label="Failed" className="size-3.5 shrink-0 text-bad" />}
    </>
  )
  return (
    <Fold summary={summary}>
      <div className="flex flex-col gap-3">
        <Detail label={language === '' ? 'Code' : `Code (${language})`} text={code} />
        <Detail label="Output" text={output} />
        <Detail label="Error" text={error} isBad />
      </div>
    </Fold>
  )
}
