import { expect, it } from 'vitest'
import { providerList } from './provider-list.ts'

it('reads the offered providers and ignores invalid entries', () => {
  const google = { id: 'google', name: 'Google', loginUrl: '/oauth/google/login' }
  const read = (value: unknown) => providerList.safeParse(value)
  expect(read({ providers: [google, { id: 'x' }, null, 'y'] })).toEqual({
    success: true,
    data: { providers: [google] },
  })
  expect(read('<html>')).toEqual({ success: true, data: { providers: [] } })
})
