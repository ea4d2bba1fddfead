/** Counts the problems to fix before publishing, or the hints to check; each one links to its node and field. */
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { buttonLook } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Popover } from '#ui/overlay/popover.tsx'
import type { LocatedProblem } from '../state/problems.ts'

interface ProblemsButtonProps {
  /** With the hints. */
  problems: readonly LocatedProblem[]
  onGoTo: (problem: LocatedProblem) => void
}

export function ProblemsButton({ problems: all, onGoTo }: ProblemsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const [hints, problems] = [all.filter(({ isHint }) => isHint), all.filter(({ isHint }) => !isHint)]
  const { icon: Icon, look, count, noun } = stateOf(problems.length, hints.length)
  const goTo = (problem: LocatedProblem) => {
    setOpen(false)
    onGoTo(problem)
  }
  return (
    <Popover
      label="Problems"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={cx(buttonLook('quiet', 'small'), look)}>
          <Icon aria-hidden className="size-3.5" />
          {count === 0 ? (
            <span className="max-sm:sr-only">No problems</span>
          ) : (
            <span>
              {count} <span className="max-sm:sr-only">{count === 1 ? noun : `${noun}s`}</span>
            </span>
          )}
        </button>
      }
      className="w-96 max-w-[calc(100vw-1.5rem)]"
    >
      {problems.length === 0 && (
        <p className="px-4 pt-3 pb-2 text-soft">This draft is ready to run. Submit it for review to publish it.</p>
      )}
      <ul className="max-h-96 overflow-y-auto p-1.5">
        {[...problems, ...hints].map((one) => (
          <ProblemRow key={one.key} problem={one} onGoTo={goTo} />
        ))}
      </ul>
    </Popover>
  )
}

const stateOf = (problems: number, hints: number) => {
  if (problems > 0) return { icon: CircleAlert, look: 'text-bad!', count: problems, noun: 'problem' }
  if (hints > 0) return { icon: TriangleAlert, look: 'text-warn!', count: hints, noun: 'hint' }
  return { icon: CircleCheck, look: 'text-ok!', count: 0, noun: 'problem' }
}

function ProblemRow({ problem, onGoTo }: { problem: LocatedProblem; onGoTo: (problem: LocatedProblem) => void }) {
  return (
    <li>
      <button
        type="button"
        disabled={problem.nodeId === undefined && problem.field === undefined}
        onClick={() => onGoTo(problem)}
        className="w-full rounded-control px-3 py-2 text-left hover:bg-sunken"
      >
        <span className="flex items-baseline justify-between gap-3 font-medium text-sm">
          {problem.location}
          {problem.isHint && <span className="font-normal text-warn">Hint</span>}
        </span>
        <span className="block text-soft text-sm [overflow-wrap:anywhere]">{problem.message}</span>
      </button>
    </li>
  )
}
