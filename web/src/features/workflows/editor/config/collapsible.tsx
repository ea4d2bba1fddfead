/** A collapsible section of the settings panel. */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface CollapsibleProps {
  title: string
  /** Open initially because something in it is set. */
  isOpen?: boolean
  children: ReactNode
}

export function Collapsible({ title, isOpen = false, children }: CollapsibleProps) {
  // Only the initial value: the section must not close when someone empties its last field.
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
