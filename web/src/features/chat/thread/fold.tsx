/** A detail of a reply that opens on demand: reasoning, a tool call, a run of code. */
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface FoldProps {
  summary: ReactNode
  children: ReactNode
}

export const Fold = ({ summary, children }: FoldProps) => (
  <details className="group/fold min-w-0 text-sm">
    <summary className="flex w-fit max-w-full list-none items-center gap-1.5 rounded-control text-faint hover:text-ink [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden
        className="size-3.5 shrink-0 transition-transform duration-150 group-open/fold:rotate-90"
      />
      {summary}
    </summary>
    <div className="mt-2 border-l-2 pl-4">{children}</div>
  </details>
)
