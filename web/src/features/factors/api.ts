/**
 * Second factors, passkeys and fresh proof: the same for people and for platform admins, each at their own address. The
 * endpoints load with the first call, since the sign-in page uses some of them.
 */
import type { OtpChallenge, OtpRequired } from '@chancery/contract/accounts/accounts.ts'
import type { Factor, PasskeyAnswer, SecondStep } from '@chancery/contract/accounts/factors.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { lastSide, type Side, viewerQuery } from '#data/viewer.ts'
import { call } from '#lib/http/call.ts'

const doors = {
  person: () => import('@chancery/contract/endpoints/factors/people.ts'),
  admin: () => import('@chancery/contract/endpoints/factors/admins.ts'),
}
const codeDoors = {
  person: () => import('@chancery/contract/endpoints/accounts.ts'),
  admin: () => import('@chancery/contract/endpoints/factors/admins.ts'),
}

export type Challenge = z.infer<typeof OtpRequired>
type Sent = z.infer<typeof OtpChallenge>

export const askForSignIn = (side: Side) => call(async () => (await doors[side]()).askForSignIn)
export const signInByPasskey = (side: Side, response: PasskeyAnswer): Promise<unknown> =>
  call(async () => (await doors[side]()).signInByPasskey, { body: { response } })

/** The answer to a question about who this is. */
export type Answer = { response: PasskeyAnswer } | { otp: string; method: SecondStep } | { password: string }

export const askForChallenge = (side: Side, challengeId: string) =>
  call(async () => (await doors[side]()).askForChallenge, { body: { challengeId } })
export const sendCode = (side: Side, challengeId: string): Promise<Sent> =>
  call(async () => (await codeDoors[side]()).resendLoginCode, { body: { challengeId } })

export async function finishSignIn(
  side: Side,
  { challengeId, answer, remembers }: { challengeId: string; answer: Answer; remembers: boolean },
): Promise<void> {
  const given = 'response' in answer ? { method: 'passkey' as const, ...answer } : answer
  const body = { challengeId, ...given, ...(remembers && { rememberBrowser: true }) }
  await call(async () => (await codeDoors[side]()).verifyLoginCode, { body })
}

export const askForProof = (side: Side) => call(async () => (await doors[side]()).askForProof)
export async function prove(side: Side, answer: Answer): Promise<void> {
  await call(async () => (await doors[side]()).prove, { body: answer as never })
}

const key = ['factors']

export const factorsQuery = (side: Side) =>
  queryOptions({ queryKey: [...key, side], queryFn: () => call(async () => (await doors[side]()).listFactors) })

/** Of the account that is signed in. */
export const useFactors = () => useQuery(factorsQuery(lastSide()))

export function useRefreshFactors() {
  const queryClient = useQueryClient()
  return () => Promise.all([key, viewerQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

export const askForPasskey = () => call(async () => (await doors[lastSide()]()).askForPasskey)
/** Answers the recovery codes that come with the first factor. */
export const addPasskey = async (name: string, response: PasskeyAnswer): Promise<string[]> =>
  (await call(async () => (await doors[lastSide()]()).addPasskey, { body: { name, response } })).recoveryCodes
export const addApp = () => call(async () => (await doors[lastSide()]()).addTotp)
export const confirmApp = async (id: string, code: string): Promise<string[]> =>
  (await call(async () => (await doors[lastSide()]()).confirmTotp, { params: { id }, body: { code } })).recoveryCodes
export const renewCodes = async (): Promise<string[]> =>
  (await call(async () => (await doors[lastSide()]()).renewRecoveryCodes)).recoveryCodes
export const forgetBrowsers = () => call(async () => (await doors[lastSide()]()).forgetBrowsers)
export const renameFactor = ({ id }: Pick<Factor, 'id'>, name: string) =>
  call(async () => (await doors[lastSide()]()).renameFactor, { params: { id }, body: { name } })
export const removeFactor = ({ id }: Pick<Factor, 'id'>) =>
  call(async () => (await doors[lastSide()]()).removeFactor, { params: { id } })
