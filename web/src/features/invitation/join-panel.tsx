/** For somebody who has an account: they sign in with it, then join by one click. */
import type { InvitationFacts } from '@chancery/contract/organizations/team.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { viewerQuery } from '#data/viewer.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { acceptInvitation } from './api.ts'

interface JoinPanelProps {
  token: string
  facts: z.infer<typeof InvitationFacts>
  onJoined: () => void
  /** The link that leads to the sign-in page and back. */
  signIn: ReactNode
}

export function JoinPanel({ token, facts, onJoined, signIn }: JoinPanelProps) {
  const viewer = useQuery(viewerQuery)
  const join = useMutation({ mutationFn: () => acceptInvitation({ token }), onSuccess: onJoined })
  const isSignedIn = viewer.data?.kind === 'person' && viewer.data.email === facts.email
  if (!isSignedIn)
    return (
      <div className="flex flex-col gap-5">
        <p>{facts.email} already has an account. Sign in with it, then accept the invitation.</p>
        {signIn}
      </div>
    )
  return (
    <div className="flex flex-col gap-5">
      <p>You’re signed in as {facts.email}.</p>
      <FormFailure error={join.error instanceof ApiError ? join.error : undefined} />
      <Button look="primary" size="large" isPending={join.isPending} onClick={() => join.mutate()}>
        Join {facts.organization}
      </Button>
    </div>
  )
}
