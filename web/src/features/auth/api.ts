/** Sign-in and registration. Schemas load with the first call, to keep the sign-in page small. */

import type { OtpChallenge } from '@chancery/contract/accounts/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '#lib/http/api.ts'
import type { Schema, Shape } from '#lib/http/shape.ts'
import { withQuery } from '#lib/http/with-query.ts'
import { providerList } from './provider-list.ts'

type Accounts = typeof import('@chancery/contract/accounts/accounts.ts')

const accounts = <T>(pick: (schemas: Accounts) => Schema<T>): Shape<T> => {
  return async () => pick(await import('@chancery/contract/accounts/accounts.ts'))
}

export const shapes = {
  address: accounts((schemas) => schemas.ForgotPasswordBody),
  login: accounts((schemas) => schemas.LoginBody),
  otp: accounts((schemas) => schemas.VerifyOtpBody),
  person: accounts((schemas) => schemas.RegisterPersonBody),
  company: accounts((schemas) => schemas.RegisterCompanyBody),
  reset: accounts((schemas) => schemas.ResetPasswordBody),
  verification: accounts((schemas) => schemas.VerifyEmailBody),
}

export type Challenge = z.infer<typeof OtpChallenge>

export const resolveLoginMode = (email: string) =>
  api.get(
    withQuery('/api/auth/resolve-login-mode', { email }),
    accounts((schemas) => schemas.LoginMode),
  )

/** Other sign-in providers of this instance. If they can't be loaded, none are offered. */
export const useProviders = () =>
  useQuery({
    queryKey: ['login-providers'],
    queryFn: () => api.get('/api/auth/oauth/providers', providerList),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The message for an error code; undefined for unknown codes, because the URL can contain anything. */
export const useProblemSentence = (code: string | undefined) =>
  useQuery({
    queryKey: ['problem', code],
    enabled: code !== undefined,
    queryFn: async () => {
      const { errorTable } = await import('@chancery/contract/errors.ts')
      const entry = Object.entries(errorTable).find(([name]) => name === code)
      return entry?.[1].sentence ?? null
    },
  })

/** The challenge if a code is required; undefined if the cookie is set. */
export async function logIn(body: { email: string; password: string }): Promise<Challenge | undefined> {
  const reply = await api.post(
    '/api/auth/login',
    body,
    accounts((schemas) => schemas.LoginReply),
  )
  return 'otpRequired' in reply ? reply : undefined
}

const signedIn = accounts((schemas) => schemas.SignedIn)

export const verifyCode = (body: { challengeId: string; otp: string }) =>
  api.post('/api/auth/verify-login-otp', body, signedIn)

export const resendCode = (challengeId: string): Promise<Challenge> =>
  api.post(
    '/api/auth/resend-login-otp',
    { challengeId },
    accounts((schemas) => schemas.OtpChallenge),
  )

export const registerPerson = (body: unknown) => api.post('/api/auth/register', body, signedIn)
export const registerCompany = (body: unknown) => api.post('/api/auth/register-company', body, signedIn)

export const askForReset = (body: { email: string }) =>
  api.post(
    '/api/auth/forgot-password',
    body,
    accounts((schemas) => schemas.Accepted),
  )

export const resetPassword = (body: { token: string; password: string }) =>
  api.post(
    '/api/auth/reset-password',
    body,
    accounts((schemas) => schemas.PasswordChanged),
  )

export const verifyEmail = (body: { token: string; password?: string | undefined }) =>
  api.tell('POST', '/api/auth/verify-email', body)
