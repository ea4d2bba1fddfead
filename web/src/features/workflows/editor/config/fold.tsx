/** A part of the panel that is closed until it is wanted. */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface FoldProps {
  title: string
  /** Open from the start, since something is set in it. */
  isOpen?: boolean
  children: ReactNode
}

export function Fold({ title, isOpen = false, children }: FoldProps) {
  // Only at first: it must not close upon somebody who empties the last field in it.
  const [isOpenAtFirst] = useState(isOpen)
  return (
    <details open={isOpenAtFirst} className="group border-t pt-3">
      <summary className="flex list-none items-center gap-1.5 rounded-control font-medium text-sm [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-faint transition-transform duration-150 group-open:rotate-90"
        />
        {title}
      </summary>
      <div className="mt-4">{children}</div>
    </details>
  )
}
