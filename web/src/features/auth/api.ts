/** Sign-in and registration. Schemas load with the first call, to keep the sign-in page small. */

import type { OtpRequired } from '@chancery/contract/accounts/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { loginProvidersQuery } from '#data/login-providers.ts'
import { call, unchecked } from '#lib/http/call.ts'
import type { Schema, Shape } from '#lib/http/shape.ts'

type Accounts = typeof import('@chancery/contract/accounts/accounts.ts')

const accounts = <T>(pick: (schemas: Accounts) => Schema<T>): Shape<T> => {
  return async () => pick(await import('@chancery/contract/accounts/accounts.ts'))
}

export const shapes = {
  address: accounts((schemas) => schemas.ForgotPasswordBody),
  login: accounts((schemas) => schemas.LoginBody),
  person: accounts((schemas) => schemas.RegisterPersonBody),
  company: accounts((schemas) => schemas.RegisterCompanyBody),
  reset: accounts((schemas) => schemas.ResetPasswordBody),
  verification: accounts((schemas) => schemas.VerifyEmailBody),
}

const endpoints = () => import('@chancery/contract/endpoints/accounts.ts')

export type Challenge = z.infer<typeof OtpRequired>

export const resolveLoginMode = (email: string) =>
  call(async () => (await endpoints()).resolveLoginMode, { query: { email } })

/** If they can't be loaded, none are offered. */
export const useProviders = () => useQuery(loginProvidersQuery)

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

/** The challenge if a second step is required; undefined if the cookie is set. */
export async function logIn(body: { email: string; password: string }): Promise<Challenge | undefined> {
  const reply = await call(async () => (await endpoints()).logIn, { body })
  return 'otpRequired' in reply ? reply : undefined
}

export const registerPerson = (body: unknown) =>
  call(async () => (await endpoints()).register, { body: unchecked(body) })
export const registerCompany = (body: unknown) =>
  call(async () => (await import('@chancery/contract/endpoints/organizations.ts')).registerCompany, {
    body: unchecked(body),
  })

export const askForReset = (body: { email: string }) => call(async () => (await endpoints()).forgetPassword, { body })

export const resetPassword = (body: { token: string; password: string }) =>
  call(async () => (await endpoints()).resetPassword, { body })

export const verifyEmail = (body: { token: string; password?: string | undefined }) =>
  call(async () => (await endpoints()).verifyEmail, { body })
