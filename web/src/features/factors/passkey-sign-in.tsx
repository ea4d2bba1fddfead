/**
 * Signing in with a passkey alone: a button, and an offer in the list of names below the email field where the browser
 * has one.
 */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Side } from '#data/viewer.ts'
import { answerByPasskey, offerPasskeys, takeOfferBack } from '#lib/browser/passkeys.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { PasskeyButton } from '#ui/button/passkey-button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { askForSignIn, signInByPasskey } from './api.ts'

interface PasskeySignInProps {
  side: Side
  onSignedIn: () => void
}

/** The server takes an answer for five minutes after its question. */
const askAgainMs = 4 * 60_000

export function PasskeySignIn({ side, onSignedIn }: PasskeySignInProps) {
  // The button's question ends the offer, so another one follows.
  const [round, setRound] = useState(0)
  const signIn = useMutation({
    mutationFn: async (given?: Awaited<ReturnType<typeof answerByPasskey>>) =>
      signInByPasskey(side, given ?? (await answerByPasskey(await askForSignIn(side)))),
    onSuccess: onSignedIn,
    onError: () => setRound((before) => before + 1),
  })
  const { mutate, isPending, isSuccess } = signIn

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    if (isPending || isSuccess) return
    let isOver = false
    void offerPasskeys(() => askForSignIn(side)).then((answer) => {
      if (answer && !isOver) mutate(answer)
    })
    const timer = setTimeout(() => setRound((before) => before + 1), askAgainMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [side, round, isPending, isSuccess, mutate])
  useEffect(() => () => void takeOfferBack(), [])

  return (
    <div className="mt-3 flex flex-col gap-3">
      <FormFailure error={signIn.error instanceof ApiError ? signIn.error : undefined} />
      <PasskeyButton isPending={isPending} onClick={() => mutate(undefined)}>
        Sign in with a passkey
      </PasskeyButton>
    </div>
  )
}
