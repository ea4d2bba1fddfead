/** A link to the setup page, shown before sign-in while there is no platform admin. */
import { Link } from '@tanstack/react-router'
import { useSetupState } from '#features/platform-auth/api.ts'
import { textLink } from '#ui/button/href-link.tsx'

export function SetupHint() {
  const setup = useSetupState()
  if (!setup.data?.needed) return null
  return (
    <p>
      This instance isn’t set up yet.{' '}
      <Link to="/setup" className={textLink}>
        Set up Chancery
      </Link>
    </p>
  )
}
