/** First-run setup and sign-in for platform admins. Small before sign-in, like the other sign-in pages. */
import { useQuery } from '@tanstack/react-query'
import { api } from '#lib/http/api.ts'
import type { Schema, Shape } from '#lib/http/shape.ts'

type Platform = typeof import('@chancery/contract/platform/platform.ts')

const platform = <T>(pick: (schemas: Platform) => Schema<T>): Shape<T> => {
  return async () => pick(await import('@chancery/contract/platform/platform.ts'))
}

export const shapes = {
  setup: platform((schemas) => schemas.SetupBody),
  login: platform((schemas) => schemas.AdminLoginBody),
}

const signedIn = platform((schemas) => schemas.AdminSignedIn)

export const setUp = (body: unknown) => api.post('/api/admin/auth/setup', body, signedIn)
export const logIn = (body: unknown) => api.post('/api/admin/auth/login', body, signedIn)

/** Parsed by hand: the schema library would double the size of the sign-in page. */
const setupState: Schema<{ needed: boolean }> = {
  safeParse: (value) => ({ success: true, data: { needed: isObject(value) && value.needed === true } }),
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether the first platform admin still has to be created. */
export const useSetupState = () =>
  useQuery({ queryKey: ['setup'], queryFn: () => api.get('/api/admin/auth/setup', setupState) })
