/**
 * The offered sign-in providers, parsed by hand: the schema library would be larger than the sign-in page. Invalid
 * entries are ignored. Pure.
 */
import type { OauthProviders } from '@chancery/contract/organizations/sso.ts'
import type { z } from 'zod'
import type { Schema } from '#lib/http/shape.ts'

type Provider = z.infer<typeof OauthProviders>['providers'][number]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isProvider = (value: unknown): value is Provider =>
  isObject(value) && [value.id, value.name, value.loginUrl].every((part) => typeof part === 'string')

export const providerList: Schema<{ providers: Provider[] }> = {
  safeParse: (value) => {
    const offered = isObject(value) && Array.isArray(value.providers) ? value.providers : []
    return { success: true, data: { providers: offered.filter(isProvider) } }
  },
}
