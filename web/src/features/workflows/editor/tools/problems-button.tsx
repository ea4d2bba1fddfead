/** How many problems must be fixed before publishing; each one links to its node and field. */
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { buttonLook } from '#ui/button.tsx'
import { cx } from '#ui/class-names.ts'
import { Popover } from '#ui/popover.tsx'
import type { LocatedProblem } from '../state/problems.ts'

interface ProblemsButtonProps {
  problems: readonly LocatedProblem[]
  onGoTo: (problem: LocatedProblem) => void
}

export function ProblemsButton({ problems, onGoTo }: ProblemsButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const count = problems.length
  const Icon = count === 0 ? CircleCheck : CircleAlert
  return (
    <Popover
      label="Problems"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className={cx(buttonLook('quiet', 'small'), count === 0 ? 'text-ok!' : 'text-bad!')}>
          <Icon aria-hidden className="size-3.5" />
          {count === 0 ? (
            <span className="max-sm:sr-only">No problems</span>
          ) : (
            <span>
              {count} <span className="max-sm:sr-only">{count === 1 ? 'problem' : 'problems'}</span>
            </span>
          )}
        </button>
      }
      className="w-96 max-w-[calc(100vw-1.5rem)]"
    >
      {count === 0 ? (
        <p className="px-4 py-3 text-soft">This draft is ready to run. Submit it for review to publish it.</p>
      ) : (
        <ul className="max-h-96 overflow-y-auto p-1.5">
          {problems.map((problem) => (
            <li key={problem.key}>
              <button
                type="button"
                disabled={problem.nodeId === undefined && problem.field === undefined}
                onClick={() => {
                  setOpen(false)
                  onGoTo(problem)
                }}
                className="w-full rounded-control px-3 py-2 text-left hover:bg-sunken"
              >
                <span className="block font-medium text-sm">{problem.location}</span>
                <span className="block text-soft text-sm">{problem.message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}
