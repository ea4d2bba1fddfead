/** On the console's first page, while something is held back. */
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { buttonLook } from '#ui/button/button.tsx'
import { useHeldCount } from '../api.ts'

export function HeldBackWarning() {
  const count = useHeldCount() ?? 0
  if (count === 0) return null
  return (
    <section
      aria-label="Held back work"
      className="flex flex-wrap items-center justify-between gap-3 rounded-panel border bg-warn-wash px-5 py-4"
    >
      <p className="flex items-start gap-2.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        {count === 1
          ? 'One piece of work ended the server several times and is held back.'
          : `${count} pieces of work ended the server several times and are held back.`}
      </p>
      <Link to="/platform/held-back" className={buttonLook('plain', 'small')}>
        View held back work
      </Link>
    </section>
  )
}
