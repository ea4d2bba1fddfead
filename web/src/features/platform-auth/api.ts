/** First-run setup and the platform admins' own sign-in. Light before sign-in, as the other entrance is. */
import { useQuery } from '@tanstack/react-query'
import { api, type Schema, type Shape } from '#lib/api.ts'

type Platform = typeof import('@chancery/contract/platform.ts')

const platform = <T>(pick: (schemas: Platform) => Schema<T>): Shape<T> => {
  return async () => pick(await import('@chancery/contract/platform.ts'))
}

export const shapes = {
  setup: platform((schemas) => schemas.SetupBody),
  login: platform((schemas) => schemas.AdminLoginBody),
}

const signedIn = platform((schemas) => schemas.AdminSignedIn)

export const setUp = (body: unknown) => api.post('/api/admin/auth/setup', body, signedIn)
export const logIn = (body: unknown) => api.post('/api/admin/auth/login', body, signedIn)

/** Read by hand: the sign-in page asks this at once, and the schema library would double what it has to load. */
const setupState: Schema<{ needed: boolean }> = {
  safeParse: (value) => ({ success: true, data: { needed: isObject(value) && value.needed === true } }),
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether the first platform admin has still to be made. */
export const useSetupState = () =>
  useQuery({ queryKey: ['setup'], queryFn: () => api.get('/api/admin/auth/setup', setupState) })
