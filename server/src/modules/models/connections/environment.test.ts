import { describe, expect, it } from 'vitest'
import { readVariables } from '#kernel/config/config.ts'
import { modelsVariables } from '../config.ts'
import { connectionsOfEnvironment } from './environment.ts'

const read = (env: Record<string, string>) =>
  connectionsOfEnvironment(readVariables(modelsVariables, env)).map(({ type, url, key }) => `${type} ${url} ${key}`)

describe('connections of the environment', () => {
  it('are none by default', () => expect(read({})).toEqual([]))

  it('come from the single names and from the lists, each address once', () => {
    expect(
      read({
        UPSTREAM_BASE_URL: 'http://one:1',
        UPSTREAM_BASE_URLS: 'http://one:1;http://two:2/',
        COMPAT_API_BASE_URL: 'https://three/v1',
        COMPAT_API_KEY: 'k3',
        COMPAT_API_BASE_URLS: 'https://four/v1; https://five/v1',
        COMPAT_API_KEYS: ';k5',
      }),
    ).toEqual([
      'upstream http://one:1 null',
      'upstream http://two:2 null',
      'compat https://three/v1 k3',
      'compat https://four/v1 null',
      'compat https://five/v1 k5',
    ])
  })

  it('take a single key for a list of one, and the first of a list for a single address', () => {
    expect(read({ COMPAT_API_BASE_URLS: 'https://a/v1', COMPAT_API_KEY: 'k' })).toEqual(['compat https://a/v1 k'])
    expect(read({ COMPAT_API_BASE_URL: 'https://a/v1', COMPAT_API_KEYS: 'k' })).toEqual(['compat https://a/v1 k'])
  })

  it('never send one provider’s key to another', () => {
    const env = { COMPAT_API_BASE_URLS: 'https://a/v1;https://b/v1', COMPAT_API_KEY: 'k' }
    expect(read(env)).toEqual(['compat https://a/v1 null', 'compat https://b/v1 null'])
  })

  it('have UUIDs that depend on nothing but what they are', () => {
    const ids = (urls: string) =>
      connectionsOfEnvironment(readVariables(modelsVariables, { UPSTREAM_BASE_URLS: urls })).map(({ id }) => id)
    const [a, b] = ids('http://a;http://b')
    expect(ids('http://b;http://a')).toEqual([b, a])
    expect(a).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids('http://a;http://a')).size).toBe(2)
  })
})
