/** A model's reasoning before its answer, collapsed by default. */
import { ChevronRight } from 'lucide-react'
import { cx } from '#ui/class-names.ts'

export function Reasoning({ text, isRunning }: { text: string; isRunning: boolean }) {
  if (text === '') return null
  return (
    <details className="group/reasoning text-sm">
      <summary className="flex w-fit list-none items-center gap-1.5 rounded-control text-faint hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 transition-transform duration-150 group-open/reasoning:rotate-90"
        />
        <span className={cx(isRunning && 'shimmer')}>{isRunning ? 'Thinking…' : 'Reasoning'}</span>
      </summary>
      <p className="mt-2 whitespace-pre-wrap border-l-2 pl-4 text-soft leading-relaxed [overflow-wrap:anywhere]">
        {text}
      </p>
    </details>
  )
}
