/** A route that failed: the server is unreachable, or the page itself crashed. Both offer a next step. */
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { ApiError, isAway } from '#lib/problems/api-error.ts'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { Notice } from '../frames/notice.tsx'

export function RouteErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const tryAgain = (
    <Button look="primary" onClick={retry}>
      Try again
    </Button>
  )
  if (isAway(error)) {
    const isOffline = !navigator.onLine
    return (
      <Notice
        title={isOffline ? 'You’re offline' : 'Couldn’t reach the server'}
        hint={
          isOffline
            ? 'Nothing is lost. Try again when you’re back online.'
            : 'It may be starting up. Try again in a moment.'
        }
      >
        {tryAgain}
      </Notice>
    )
  }
  return (
    <Notice title="Something went wrong" hint={<ErrorReport error={error} />}>
      {tryAgain}
      <Link to="/" className={buttonLook('plain')}>
        Go to Home
      </Link>
    </Notice>
  )
}

function ErrorReport({ error }: { error: unknown }) {
  return (
    <>
      <p>This page ran into an error. Your saved work is safe.</p>
      <p className="mt-3 font-mono text-faint text-xs">
        {error instanceof ApiError ? `${error.code} ${error.requestId ?? ''}` : String(error)}
      </p>
    </>
  )
}
