/** Points to the setup, at every entrance, while the office has no administrator. */
import { Link } from '@tanstack/react-router'
import { useSetupState } from '#features/platform-auth/api.ts'
import { inkLink } from './ink-link.ts'

export function SetupHint() {
  const setup = useSetupState()
  if (!setup.data?.needed) return null
  return (
    <p>
      This office has no administrator yet.{' '}
      <Link to="/setup" className={inkLink}>
        Set it up
      </Link>
    </p>
  )
}
