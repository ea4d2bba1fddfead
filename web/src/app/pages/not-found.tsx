/** An unknown URL. */
import { Link } from '@tanstack/react-router'
import { buttonLook } from '#ui/button/button.tsx'
import { Notice } from '../frames/notice.tsx'

export function NotFoundPage() {
  return (
    <Notice title="Page not found" hint="The link may be wrong, or the page may have been deleted.">
      <Link to="/" className={buttonLook('primary')}>
        Go to Home
      </Link>
    </Notice>
  )
}
