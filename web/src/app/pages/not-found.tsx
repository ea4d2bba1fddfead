/** An address that names nothing. */
import { Link } from '@tanstack/react-router'
import { buttonLook } from '#ui/button.tsx'
import { Notice } from '../frames/notice.tsx'

export function NotFoundPage() {
  return (
    <Notice title="There is nothing here" hint="The address may be mistyped, or what it named is gone.">
      <Link to="/" className={buttonLook('primary')}>
        Go to the first page
      </Link>
    </Notice>
  )
}
