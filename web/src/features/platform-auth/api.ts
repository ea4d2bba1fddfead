/** First-run setup, sign-in and forgotten passwords of platform admins. Small before sign-in, like the other sign-in pages. */
import type { OtpRequired } from '@chancery/contract/accounts/accounts.ts'
import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { call, unchecked } from '#lib/http/call.ts'
import type { Schema, Shape } from '#lib/http/shape.ts'

type Platform = typeof import('@chancery/contract/platform/platform.ts')

const platform = <T>(pick: (schemas: Platform) => Schema<T>): Shape<T> => {
  return async () => pick(await import('@chancery/contract/platform/platform.ts'))
}

export const shapes = {
  setup: platform((schemas) => schemas.SetupBody),
  login: platform((schemas) => schemas.AdminLoginBody),
}

const endpoints = () => import('@chancery/contract/endpoints/platform.ts')

export const setUp = (body: unknown) => call(async () => (await endpoints()).setUp, { body: unchecked(body) })

export type Challenge = z.infer<typeof OtpRequired>

/** The challenge if a second step is required; undefined if the cookie is set. */
export async function logIn(body: unknown): Promise<Challenge | undefined> {
  const reply = await call(async () => (await endpoints()).logIn, { body: unchecked(body) })
  return 'otpRequired' in reply ? reply : undefined
}

const factorEndpoints = () => import('@chancery/contract/endpoints/factors/admins.ts')

export const askForReset = (body: { email: string }) =>
  call(async () => (await factorEndpoints()).forgetPassword, { body })

export const resetPassword = (body: { token: string; password: string }) =>
  call(async () => (await factorEndpoints()).resetPassword, { body })

/** Parsed by hand: the schema library would double the size of the sign-in page. */
const setupState: Schema<{ needed: boolean }> = {
  safeParse: (value) => ({ success: true, data: { needed: isObject(value) && value.needed === true } }),
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether the first platform admin still has to be created. */
export const useSetupState = () =>
  useQuery({ queryKey: ['setup'], queryFn: () => call({ ...entrance.getSetup, reply: setupState }) })
