/** A link back to the list. */
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { buttonLook } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'

export function BackLink({
  to,
  children,
}: {
  to: '/documents' | '/platform/users' | '/platform/organizations' | '/platform/plugins'
  children: string
}) {
  return (
    <Link to={to} className={cx(buttonLook('quiet', 'small'), '-ml-2.5 self-start')}>
      <ArrowLeft aria-hidden className="size-3.5" /> {children}
    </Link>
  )
}
