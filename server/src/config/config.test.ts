import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '#test/process/temp-folder.ts'
import { readConfig } from './config.ts'

describe('reading the configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ PORT: 8080, SVC_ROLE: 'all', SVC_BUILD: 'release' })
    expect(config.JWT_EXPIRES_IN).toBe(28 * 86_400_000)
    expect(config.CUSTOM_API_KEY_HEADER).toBe('x-api-key')
  })

  it('has the defaults of the contract for speech', () => {
    expect(readConfig({})).toMatchObject({
      AUDIO_STT_ENGINE: '',
      LOCALSTT_MODEL: 'base',
      LOCALSTT_COMPUTE_TYPE: 'int8',
      LOCALSTT_LANGUAGE: undefined,
      LOCALSTT_VAD_FILTER: false,
      AUDIO_TTS_ENGINE: '',
      AUDIO_TTS_MODEL: 'tts-1',
      AUDIO_TTS_VOICE: 'alloy',
      HTTP_CLIENT_SESSION_SSL: true,
    })
  })

  it('treats a blank value as unset', () => {
    expect(readConfig({ PORT: ' ', JWT_SECRET: '' })).toMatchObject({ PORT: 8080, JWT_SECRET: undefined })
  })

  it.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['4w', 2_419_200_000],
    ['-1', null],
  ])('reads the duration %s', (text, ms) => expect(readConfig({ JWT_EXPIRES_IN: text }).JWT_EXPIRES_IN).toBe(ms))

  it.each([
    [{ PORT: '99999' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '80a' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ SVC_PROCESSES: '0' }, 'SVC_PROCESSES must be auto or a whole number from 1 to 64.'],
    [{ SVC_PROCESSES: '1.5' }, 'SVC_PROCESSES must be auto or a whole number from 1 to 64.'],
    [{ JWT_SECRET: 'x'.repeat(63) }, 'JWT_SECRET must be at least 64 characters long; it has 63.'],
    [
      { JWT_EXPIRES_IN: '4 weeks' },
      'JWT_EXPIRES_IN must be a number with a unit (ms, s, m, h, d or w), such as 4w, or -1 for never.',
    ],
    [
      { JWT_EXPIRES_IN: '0s' },
      'JWT_EXPIRES_IN must be a number with a unit (ms, s, m, h, d or w), such as 4w, or -1 for never.',
    ],
    [{ SVC_ROLE: 'king' }, 'SVC_ROLE must be all or api or worker.'],
    [{ SMTP_SECURE: 'maybe' }, 'SMTP_SECURE must be true or false.'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be an address that starts with postgres:// or postgresql://.'],
    [
      { OUTBOUND_ALLOWED_HOSTS: 'localhost' },
      'OUTBOUND_ALLOWED_HOSTS must be a list of exact host:port pairs; "localhost" is none.',
    ],
    [
      { S3_ENDPOINT: 'http://s3.test' },
      'S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it.',
    ],
    [{ SVC_CURRENCY: 'gold' }, 'SVC_CURRENCY must be the ISO 4217 code of a currency, such as EUR.'],
    [{ CUSTOM_API_KEY_HEADER: 'x key' }, 'CUSTOM_API_KEY_HEADER must be a header name: letters, digits and hyphens.'],
  ])('stops the start over %o with one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })

  it.each([
    ['OIDC_CONFIG', 'OPENID_PROVIDER_URL'],
    ['OPENID_CLIENT_ID', 'OAUTH_CLIENT_ID'],
    ['OPENID_CLIENT_SECRET', 'OAUTH_CLIENT_SECRET'],
    ['OIDC_CLIENT_ID', 'OAUTH_CLIENT_ID'],
    ['CHANCERY_OIDC_CLIENT_ID', 'OAUTH_CLIENT_ID'],
    ['CHANCERY_OIDC_CLIENT_SECRET', 'OAUTH_CLIENT_SECRET'],
    ['ENABLE_SSO', 'IDP_ISSUER_URI'],
    ['AUTH_TYPE', 'OAUTH_CLIENT_ID'],
  ])('refuses %s, which never was a variable, and names %s', (name, right) => {
    const start = () => readConfig({ [name]: 'hunter2' })
    expect(start).toThrow(new RegExp(`^${name} is not a variable of this service: .*${right}`))
    expect(start).toThrow(/^(?!.*hunter2)/)
    expect(() => readConfig({ [name]: ' ' })).not.toThrow()
  })

  it.each([
    [{ OAUTH_AUTHORIZE_PARAMS: 'prompt=login' }, 'OAUTH_AUTHORIZE_PARAMS must be a JSON object, such as'],
    [{ OAUTH_AUTHORIZE_PARAMS: '["login"]' }, 'OAUTH_AUTHORIZE_PARAMS must be a JSON object, such as'],
    [{ OAUTH_AUTHORIZE_PARAMS: '{"a":{"b":1}}' }, '"a" is none.'],
    [{ OAUTH_AUTHORIZE_PARAMS: '{"state":"mine"}' }, 'must not hold "state", which the login itself sets.'],
    [{ OAUTH_CLIENT_ID: 'us' }, 'OAUTH_CLIENT_ID and OPENID_PROVIDER_URL need each other'],
    [
      { IDP_ISSUER_URI: 'https://id.test/realms/a' },
      'IDP_ISSUER_URI, IDP_CLIENT_ID and IDP_CLIENT_SECRET need each other',
    ],
    [{ IDP_CLIENT_SECRET: 's' }, 'IDP_ISSUER_URI, IDP_CLIENT_ID and IDP_CLIENT_SECRET need each other'],
    [{ IDP_ADMIN_CLIENT_ID: 'us' }, 'IDP_ADMIN_CLIENT_ID and IDP_ADMIN_CLIENT_SECRET need each other'],
    [{ IDP_ADMIN_CLIENT_ID: 'us', IDP_ADMIN_CLIENT_SECRET: 's' }, 'IDP_ADMIN_CLIENT_ID needs an IDP_ISSUER_URI'],
    [{ IDP_SYNC_INTERVAL_MS: '5' }, 'IDP_SYNC_INTERVAL_MS must be a whole number from 10000'],
    [{ OPENID_PROVIDER_URL: 'https://id.test' }, 'OAUTH_CLIENT_ID and OPENID_PROVIDER_URL need each other'],
    [{ OPENID_PROVIDER_URL: 'ftp://id.test' }, 'OPENID_PROVIDER_URL must be an address that starts with'],
    [{ GOOGLE_CLIENT_ID: 'us' }, 'GOOGLE_CLIENT_ID needs GOOGLE_CLIENT_SECRET'],
    [{ MICROSOFT_CLIENT_ID: 'us' }, 'MICROSOFT_CLIENT_ID needs MICROSOFT_CLIENT_SECRET and'],
    [{ MICROSOFT_CLIENT_TENANT_ID: 'common' }, 'MICROSOFT_CLIENT_TENANT_ID must be the id of one directory'],
    [{ OAUTH_SESSION_TOKEN_ENCRYPTION_KEY: 'short' }, 'must be at least 32 characters long; it has 5.'],
    [
      { SVC_SESSION_COOKIE_SAME_SITE: 'none', SVC_SESSION_COOKIE_SECURE: 'false' },
      'SVC_SESSION_COOKIE_SAME_SITE must not be none while SVC_SESSION_COOKIE_SECURE is false',
    ],
  ])('stops the start over half or wrong settings of a login elsewhere: %o', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })

  it('reads extra authorize parameters as texts', () => {
    const given = readConfig({ OAUTH_AUTHORIZE_PARAMS: '{"prompt":"login","max_age":60}' })
    expect(given.OAUTH_AUTHORIZE_PARAMS).toEqual({ prompt: 'login', max_age: '60' })
  })

  describe('a secret in a file', () => {
    const write = async (content: string): Promise<string> => {
      const path = join(await tempFolder(), 'secret')
      await writeFile(path, content)
      return path
    }

    it('is read without the line break at its end', async () => {
      const key = 'k'.repeat(64)
      expect(readConfig({ JWT_SECRET_FILE: await write(`${key}\n`) }).JWT_SECRET).toBe(key)
    })

    it('stops the start when it is set twice, empty, too short, too large or not there', async () => {
      const start = (env: Record<string, string>) => () => readConfig(env)
      const path = await write('a secret of forty characters, or a bit more')
      expect(start({ SMTP_PASSWORD: 'a', SMTP_PASSWORD_FILE: path })).toThrow('both set: set one of them')
      expect(start({ JWT_SECRET_FILE: path })).toThrow('JWT_SECRET must be at least 64 characters long')
      expect(start({ SMTP_PASSWORD_FILE: await write(' \n') })).toThrow('it is empty')
      expect(start({ SMTP_PASSWORD_FILE: await write('x'.repeat(70_000)) })).toThrow('larger than 64 kB')
      expect(start({ SMTP_PASSWORD_FILE: '/nowhere/at/all' })).toThrow('SMTP_PASSWORD_FILE cannot be read: ENOENT')
    })
  })

  it('never repeats a secret in its complaint', () => {
    expect(() => readConfig({ JWT_SECRET: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  })
})
