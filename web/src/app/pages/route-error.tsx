/** A route that failed: the server is away, or the page itself broke. Both offer a way on. */
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { ApiError, isAway } from '#lib/api-error.ts'
import { Button, buttonLook } from '#ui/button.tsx'
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
        title={isOffline ? 'You are offline' : 'The office does not answer'}
        hint={
          isOffline
            ? 'Nothing is lost. Come back when the connection does.'
            : 'It may be starting. Try again in a moment.'
        }
      >
        {tryAgain}
      </Notice>
    )
  }
  return (
    <Notice title="This page broke" hint={<Blame error={error} />}>
      {tryAgain}
      <Link to="/" className={buttonLook('plain')}>
        Go to the first page
      </Link>
    </Notice>
  )
}

function Blame({ error }: { error: unknown }) {
  return (
    <>
      <p>The fault is ours. What you had saved is safe.</p>
      <p className="mt-3 font-mono text-faint text-xs">
        {error instanceof ApiError ? `${error.code} ${error.requestId ?? ''}` : String(error)}
      </p>
    </>
  )
}
