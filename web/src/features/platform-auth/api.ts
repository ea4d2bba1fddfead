/** First-run setup and sign-in for platform admins. Small before sign-in, like the other sign-in pages. */
import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import { useQuery } from '@tanstack/react-query'
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
export const logIn = (body: unknown) => call(async () => (await endpoints()).logIn, { body: unchecked(body) })

/** Parsed by hand: the schema library would double the size of the sign-in page. */
const setupState: Schema<{ needed: boolean }> = {
  safeParse: (value) => ({ success: true, data: { needed: isObject(value) && value.needed === true } }),
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether the first platform admin still has to be created. */
export const useSetupState = () =>
  useQuery({ queryKey: ['setup'], queryFn: () => call({ ...entrance.getSetup, reply: setupState }) })
